/**
 * Turns a process's output into what a terminal expects: a line feed alone would not go back to the left edge.
 * Keeps track across pieces, since an ending may be torn between two of them.
 */
export function terminalLines(): (text: string) => string {
  let endsWithReturn = false;
  return text => {
    if (text === '') return '';
    const joined = text.replace(/(\r?)\n/g, (match, carriage: string, offset: number) =>
      carriage || (offset === 0 && endsWithReturn) ? match : '\r\n',
    );
    endsWithReturn = text.endsWith('\r');
    return joined;
  };
}
