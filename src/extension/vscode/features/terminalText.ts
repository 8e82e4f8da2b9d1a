/**
 * Converts line feeds for a terminal, which would not return to the first column. Keeps state across chunks, since a
 * CRLF may be split between two.
 */
export function terminalTextConverter(): (text: string) => string {
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
