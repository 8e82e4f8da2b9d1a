/* Computes the prefixes that matches of a pattern can have. A command with none of these prefixes cannot match. */

interface Head {
  readonly text: string;
  /** True if what follows is unknown. */
  readonly isOpen: boolean;
}

/** Maximal number of alternatives to distinguish. */
const most = 64;

/**
 * Returns the prefixes of all possible matches; an empty one if a match may begin with anything.
 * @param source of a regular expression over a command, or over arguments as JSON
 */
export function findPrefixes(source: string): readonly string[] {
  const ofCommand = source.replace(/^\^?(?:\\?\{)?(?:\.\*)?\\?"command\\?":(?:\\s[*+]?| \*?)?\\?"/, '');
  const heads = new HeadReader(ofCommand).readAlternatives();
  return [...new Set(heads.map(({ text }) => text))];
}

class HeadReader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Reads up to the closing parenthesis of the group, or the end. */
  readAlternatives(): readonly Head[] {
    const all = [...this.readSequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      all.push(...this.readSequence());
    }
    return all.length > most ? [{ text: '', isOpen: true }] : all;
  }

  private readSequence(): readonly Head[] {
    let heads: readonly Head[] = [{ text: '', isOpen: false }];
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at]!)) {
      const atom = this.readAtom();
      const [quantifier = ''] = /^(?:[*+?]|\{\d*,?\d*\})\??/.exec(this.source.slice(this.at)) ?? [];
      this.at += quantifier.length;
      heads = join(heads, repeat(atom, quantifier));
    }
    return heads;
  }

  private readAtom(): readonly Head[] {
    const rest = this.source.slice(this.at);
    const [group] = /^\((?!\?)|^\(\?:|^\(\?<\w+>/.exec(rest) ?? [];
    if (group !== undefined) {
      this.at += group.length;
      const heads = this.readAlternatives();
      this.at++;
      return heads;
    }
    // A lookaround consumes no text. The pattern itself checks it.
    const [around] = /^\(\?<?[=!]/.exec(rest) ?? [];
    if (around !== undefined) {
      this.at += around.length;
      this.readAlternatives();
      this.at++;
      return [{ text: '', isOpen: false }];
    }
    const [token] = /^\[\^?\]?(?:\\.|[^\]\\])*\]|^\\.|^./su.exec(rest)!;
    this.at += token.length;
    if (/^(?:\^|\\b)$/.test(token)) return [{ text: '', isOpen: false }];
    if (token === '\\s') return [{ text: ' ', isOpen: false }];
    const literal = /^(?:\\([^\w])|([^.[\\$]))$/u.exec(token);
    return literal
      ? [{ text: literal[1] ?? literal[2]!, isOpen: false }]
      : [{ text: '', isOpen: token !== '$' }];
  }
}

function repeat(atom: readonly Head[], quantifier: string): readonly Head[] {
  if (quantifier === '') return atom;
  const isBlank = atom.every(({ text, isOpen }) => text === ' ' && !isOpen);
  if (isBlank && quantifier.startsWith('+')) return atom;
  const none: readonly Head[] = /^(?:[*?]|\{0?,)/.test(quantifier) ? [{ text: '', isOpen: false }] : [];
  const once = quantifier.startsWith('?') ? atom : atom.map(head => ({ ...head, isOpen: true }));
  return [...none, ...once];
}

function join(heads: readonly Head[], next: readonly Head[]): readonly Head[] {
  const joined = heads.flatMap(head =>
    head.isOpen ? [head] : next.map(({ text, isOpen }) => ({ text: head.text + text, isOpen })),
  );
  // With more alternatives, the prefixes so far must suffice.
  return joined.length > most ? heads.map(({ text }) => ({ text, isOpen: true })) : joined;
}
