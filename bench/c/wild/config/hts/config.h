/* What the configure of htslib writes; the pool needs none of it. */
