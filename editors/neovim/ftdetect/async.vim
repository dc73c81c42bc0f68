autocmd BufRead,BufNewFile *.async setfiletype async
