/* What a profile of macOS's sandbox says to an operation, as its language is documented by those who have read it. */

type Form = string | readonly Form[] | { readonly text: string } | { readonly pattern: string };

interface Rule {
  readonly decision: string;
  readonly operations: readonly string[];
  readonly filters: readonly Form[];
}

/** Throws where the text is no profile. */
export class SeatbeltReading {
  private readonly rules: readonly Rule[];

  constructor(profile: string) {
    const [version, ...rest] = parse(profile);
    if (JSON.stringify(version) !== '["version","1"]') throw new Error('It begins with no version.');
    this.rules = rest.map(ruleOf);
  }

  /** The last rule counts; one that names the operation itself goes before one that names its kind. */
  allows(operation: string, path: string): boolean {
    const about = this.rules.filter(
      ({ filters }) => filters.length === 0 || filters.some(each => matches(each, path)),
    );
    const named = (isMeant: (each: string) => boolean) =>
      about.findLast(({ operations }) => operations.some(isMeant));
    const rule =
      named(each => each === operation) ??
      named(each => each.endsWith('*') && operation.startsWith(each.slice(0, -1))) ??
      named(each => each === 'default');
    if (!rule) throw new Error(`Nothing is said about ${operation}.`);
    return rule.decision === 'allow';
  }
}

function ruleOf(form: Form): Rule {
  if (!Array.isArray(form)) throw new Error(`No rule: ${JSON.stringify(form)}`);
  const [decision, ...words] = form as readonly Form[];
  if (decision !== 'allow' && decision !== 'deny') throw new Error(`No decision: ${JSON.stringify(form)}`);
  const operations = words.filter(each => typeof each === 'string');
  const filters = words.filter(each => typeof each !== 'string');
  if (operations.length === 0) throw new Error(`No operation: ${JSON.stringify(form)}`);
  return { decision, operations, filters };
}

function matches(filter: Form, path: string): boolean {
  if (!Array.isArray(filter)) throw new Error(`No filter: ${JSON.stringify(filter)}`);
  const [kind, ...values] = filter as readonly Form[];
  if (kind === 'require-all') return values.every(each => matches(each, path));
  return values.some(value => {
    if (typeof value !== 'object' || Array.isArray(value)) return false;
    if ('pattern' in value) return kind === 'regex' && new RegExp(value.pattern, 'u').test(path);
    if (!('text' in value)) return false;
    if (kind === 'literal') return path === value.text;
    return kind === 'subpath' && (path === value.text || path.startsWith(`${value.text}/`));
  });
}

function parse(profile: string): readonly Form[] {
  const tokens = [...profile.matchAll(/\s*(?:(#?)"((?:[^"\\]|\\[\s\S])*)"|([()])|([^\s()"#]+))\s*/gy)];
  const read = tokens.reduce((sum, [whole]) => sum + whole.length, 0);
  if (read !== profile.length)
    throw new Error(`It cannot be read from here: ${profile.slice(read, read + 80)}`);
  const open: Form[][] = [[]];
  for (const [, sharp, text, bracket, word] of tokens) {
    if (bracket === '(') open.push([]);
    else if (bracket === ')') {
      const closed = open.pop();
      if (!closed || open.length === 0) throw new Error('It closes more than it opens.');
      open.at(-1)!.push(closed);
    } else if (word !== undefined) open.at(-1)!.push(word);
    else open.at(-1)!.push(sharp === '#' ? { pattern: text! } : { text: text!.replace(/\\(.)/g, '$1') });
  }
  if (open.length > 1) throw new Error('It opens more than it closes.');
  return open[0]!;
}
