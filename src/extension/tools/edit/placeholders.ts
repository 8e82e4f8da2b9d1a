/** Start of a comment, a bracketed remark or an ellipsis. */
const opening = /^(?:\/\/|\/\*|\{\s*\/\*|#|<!--|--|;|%|\(|\.{3}|…)/;

/** Comment signs, brackets and ellipses around the remark. */
const wrapping = /^[\s/#*\-<>!;%({[…]+|[\s/*\-<>!;)}\].:…]+$|\.{3}|[()]/g;

const which = 'rest of|remaining|existing|unchanged|same|previous|other|original';
const what =
  'code|methods?|functions?|class|classes|file|contents?|lines?|implementation|logic|imports?|components?|' +
  'body|properties|fields|tests?|cases|entries|items|unchanged|same|here|goes|below|above|before|' +
  'of|the|this|your|as|is|are|remains?|stays?|existing|original|previous|other';

const omission = new RegExp(`^(?:the\\s+)?(?:unchanged|omitted|(?:${which})(?:\\s+(?:${what}))+)$`, 'i');

/**
 * Returns the first line of `text` that stands for omitted code, such as `// ... rest of the code ...`, unless `known`
 * has the same line. Written to a file, it would replace the omitted code.
 */
export function findPlaceholder(text: string, known: string): string | undefined {
  const knownLines = new Set(known.split('\n').map(line => line.trim()));
  return text
    .split('\n')
    .map(line => line.trim())
    .find(line => isPlaceholder(line) && !knownLines.has(line));
}

function isPlaceholder(line: string): boolean {
  if (line.length > 120 || !opening.test(line) || !/\.{3}|…/.test(line)) return false;
  return omission.test(line.replace(wrapping, '').trim());
}
