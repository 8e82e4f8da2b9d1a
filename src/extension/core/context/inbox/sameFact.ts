/*
 * Tells whether two sentences state the same fact in other words. Numbers, names and negations distinguish facts, so
 * that a correction does not match what it corrects.
 */

/** Words without influence on the meaning. */
const fillers = new Set(
  'a an the here this that these is are be was to of for in on at with and or it its as by from please use uses used using run runs running project repository repo workspace user prefers prefer should must always when via command'.split(
    ' ',
  ),
);

const negation =
  /^(?:not|no|never|without|avoid|don't|doesn't|isn't|aren't|won't|can't|cannot|instead|nicht|kein)$/;

/** @param lines facts, or lines of instruction files */
export function isKnownFact(fact: string, lines: readonly string[]): boolean {
  const wanted = wordsOf(fact);
  return lines.some(line => saysTheSame(wanted, wordsOf(line)));
}

interface Words {
  readonly plain: ReadonlySet<string>;
  /** Words that both facts must share. */
  readonly decisive: ReadonlySet<string>;
}

function saysTheSame(a: Words, b: Words): boolean {
  if (a.plain.size === 0 || !isEqual(a.decisive, b.decisive)) return false;
  let common = 0;
  for (const word of a.plain) if (b.plain.has(word)) common++;
  return common / (a.plain.size + b.plain.size - common) >= 0.75;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(word => b.has(word));
}

function wordsOf(text: string): Words {
  const plain = new Set<string>();
  const decisive = new Set<string>();
  for (const match of text.toLowerCase().matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’:._/-]*/gu)) {
    const word = match[0].replaceAll('’', "'").replace(/[':._/-]+$/, '');
    if (fillers.has(word)) continue;
    if (negation.test(word) || /[\d:./_]/.test(word)) decisive.add(word);
    plain.add(word.replace(/(?<=\p{L}{3})s$/u, ''));
  }
  return { plain, decisive };
}
