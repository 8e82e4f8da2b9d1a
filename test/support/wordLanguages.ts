import type {
  ActionTarget,
  CodeAction,
  CodeEdit,
  CodePosition,
  CodeRange,
  CodeSymbol,
  Languages,
  ProposedEdits,
  SymbolRelation,
} from '../../src/extension/platform/languages.ts';

/** Tells symbols by their words, which is enough for code in which each name means one thing. */
export class WordLanguages implements Languages {
  readonly isAvailable: boolean;
  private readonly files: Readonly<Record<string, string>>;

  /** @param files by absolute path; functions and classes begin and end at the margin, methods two spaces inside */
  constructor(files: Readonly<Record<string, string>>, isThere = true) {
    this.files = files;
    this.isAvailable = isThere;
  }

  async settle(): Promise<void> {}

  async outline(path: string): Promise<readonly CodeSymbol[]> {
    const lines = (this.files[path] ?? '').split('\n');
    let container = '';
    return lines.flatMap((line, index) => {
      const found = declaration.exec(line)?.groups;
      if (!found) return [];
      const { margin = '', keyword = '' } = found;
      const name = found.name ?? found.method ?? '';
      if (margin === '') container = '';
      const kind = keyword === '' ? 'Method' : keyword[0]!.toUpperCase() + keyword.slice(1);
      const length = lines.slice(index).findIndex(each => each.startsWith(`${margin}}`));
      const at = { path, line: index + 1, column: line.indexOf(name) + 1 };
      const symbol = { name, kind, path, first: index + 1, last: index + 1 + length, at, container };
      if (keyword === 'class') container = name;
      return [{ ...symbol, isLocal: false }];
    });
  }

  async findDeclaringFiles(name: string): Promise<readonly string[]> {
    const all = (await Promise.all(Object.keys(this.files).map(path => this.outline(path)))).flat();
    return all.filter(symbol => symbol.name === name).map(({ path }) => path);
  }

  async follow(
    { path, line, column }: CodePosition,
    relation: SymbolRelation,
  ): Promise<readonly CodeRange[]> {
    const [name = ''] = /^\w+/.exec(this.files[path]!.split('\n')[line - 1]!.slice(column - 1)) ?? [];
    const outlines = (await Promise.all(Object.keys(this.files).map(each => this.outline(each)))).flat();
    const declared = outlines.filter(symbol => symbol.name === name);
    switch (relation) {
      case 'definition':
        return declared;
      case 'references':
        return this.lines(new RegExp(`\\b${name}\\b`));
      case 'implementations':
        return this.lines(new RegExp(`implements ${name}\\b`));
      case 'type_definition':
        return [];
      case 'callers': {
        const calls = this.lines(new RegExp(`\\b${name}\\(`));
        return calls.flatMap(call => {
          const holds = (symbol: CodeSymbol) => symbol.first < call.first && call.first < symbol.last;
          const around = outlines.findLast(symbol => symbol.path === call.path && holds(symbol));
          return around ? [{ ...call, inside: around.name }] : [];
        });
      }
    }
  }

  async rename({ path, line, column }: CodePosition, newName: string): Promise<ProposedEdits> {
    const [name = ''] = /^\w+/.exec(this.files[path]!.split('\n')[line - 1]!.slice(column - 1)) ?? [];
    if ((await this.findDeclaringFiles(name)).length === 0)
      return { kind: 'refused', reason: 'You cannot rename this.' };
    const files = Object.entries(this.files).map(([each, text]) => ({
      path: each,
      edits: text.split('\n').flatMap((words, index) =>
        [...words.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(found => ({
          from: { line: index + 1, column: found.index + 1 },
          to: { line: index + 1, column: found.index + 1 + name.length },
          text: newName,
        })),
      ),
    }));
    return { kind: 'edits', files: files.filter(({ edits }) => edits.length > 0) };
  }

  /** Knows one misspelling, and two things about blanks. */
  async offer(place: ActionTarget): Promise<readonly CodeAction[]> {
    const text = this.files[place.path];
    if (text === undefined) return [];
    const last = text.split('\n').length;
    const replace = (from: number, to: number, after: string) => [
      { from: { line: from, column: 1 }, to: { line: to, column: 1 }, text: after },
    ];
    const offered = (title: string, edits: readonly CodeEdit[]): CodeAction => ({
      title,
      change: { kind: 'edits', files: [{ path: place.path, edits }] },
    });
    if (!('first' in place)) {
      if ('line' in place)
        return [
          { title: 'Explain', change: { kind: 'refused', reason: 'it runs a command of the editor.' } },
        ];
      const neat = text.replace(/ +/g, ' ').replace(/(\w)=(\w)/g, '$1 = $2');
      return [offered('Format Document', replace(1, last, neat))];
    }
    const line = text.split('\n')[place.first - 1] ?? '';
    const column = line.indexOf('amuont') + 1;
    if (column === 0) return [];
    const from = { line: place.first, column };
    return [
      offered("Change spelling to 'amount'", [{ from, to: { ...from, column: column + 6 }, text: 'amount' }]),
      { title: 'Move to a new file', change: { kind: 'refused', reason: 'a file would have to be made.' } },
    ];
  }

  private lines(pattern: RegExp): readonly CodeRange[] {
    return Object.entries(this.files).flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [{ path, first: index + 1, last: index + 1 }] : [])),
    );
  }
}

const declaration =
  /^(?<margin> {0,2})(?:export )?(?:(?<keyword>function|class|interface) (?<name>\w+)|(?<method>\w+)\(.*\{$)/;
