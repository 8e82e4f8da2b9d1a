/** The code of a block together with the blocks that a long one was cut into (blocks.ts), as it was written. */
export function wholeCodeOf(codeBlock: Element): string {
  const answer = codeBlock.closest('.answer');
  const own = codeBlock.closest<HTMLElement>('.answer-block');
  const blocks = [...(answer?.querySelectorAll<HTMLElement>('.answer-block') ?? [])];
  let at = own ? blocks.indexOf(own) : -1;
  const isCut = blocks[at]?.dataset.cut !== undefined || blocks[at - 1]?.dataset.cut !== undefined;
  if (!isCut) return codeOf(codeBlock);
  while (blocks[at - 1]?.dataset.cut !== undefined) at--;
  let code = '';
  for (const block of blocks.slice(at)) {
    const { cut } = block.dataset;
    // The fence that closes a piece ends a line that had not ended yet.
    code += cut === 'inLine' ? codeOf(block).replace(/\n$/, '') : codeOf(block);
    if (cut === undefined) break;
  }
  return code;
}

function codeOf(element: Element): string {
  return element.querySelector('code')?.textContent ?? '';
}
