-- A client of `dbverify lsp`. Settings: vim.g.dbverify = { cmd = { "dbverify", "lsp" }, delays = 2, timeout = 60 }
vim.bo.commentstring = "// %s"
vim.bo.shiftwidth = 2
vim.bo.expandtab = true

local settings = vim.g.dbverify or {}

-- The answer in a window of its own; the cursor stays where it is.
local function show(result)
  if type(result) ~= "table" or type(result.text) ~= "string" then
    return
  end
  local name = "dbverify://" .. vim.uri_to_fname(result.uri)
  local buffer = vim.fn.bufnr(vim.fn.fnameescape(name))
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(result.text, "\n"))
  if vim.fn.bufwinid(buffer) == -1 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd("botright sbuffer " .. buffer)
    vim.api.nvim_set_current_win(window)
  end
end

-- The steps of a bug as the quickfix list: `:cfirst`, `:cnext` and `:cprevious` jump along them.
local function list(result)
  if type(result) ~= "table" or type(result.steps) ~= "table" then
    return
  end
  local items = {}
  for _, step in ipairs(result.steps) do
    local start = step.location.range.start
    table.insert(items, {
      filename = vim.uri_to_fname(step.location.uri),
      lnum = start.line + 1,
      col = start.character + 1,
      text = step.message,
    })
  end
  vim.fn.setqflist({}, " ", { title = "dbverify: " .. (result.message or ""), items = items })
end

local function answered(err, result)
  if not err then
    show(result)
    list(result)
  end
end

local config = {
  name = "dbverify",
  cmd = settings.cmd or { "dbverify", "lsp" },
  root_dir = vim.fn.expand("%:p:h"),
  init_options = next(settings) and settings or vim.empty_dict(),
  handlers = { ["workspace/executeCommand"] = answered },
}

local buffer = vim.api.nvim_get_current_buf()
if vim.lsp.start then
  vim.lsp.start(config)
else
  -- Neovim 0.7.
  _G.dbverify_client = _G.dbverify_client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, _G.dbverify_client)
end

-- A command of the server for this file.
local function run(command)
  return function()
    local params = { command = command, arguments = { vim.uri_from_bufnr(buffer) } }
    vim.lsp.buf_request(buffer, "workspace/executeCommand", params, answered)
  end
end

vim.api.nvim_buf_create_user_command(buffer, "DbverifyVerify", run("dbverify.verify"), {})
vim.api.nvim_buf_create_user_command(buffer, "DbverifyExplore", run("dbverify.explore"), {})
vim.api.nvim_buf_create_user_command(buffer, "DbverifyProve", run("dbverify.prove"), {})
vim.api.nvim_buf_create_user_command(buffer, "DbverifyTrace", run("dbverify.trace"), {})
