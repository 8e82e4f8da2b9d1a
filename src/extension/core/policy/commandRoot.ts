/**
 * The first words of a command that a lasting permission may cover: `npm test` of `npm test -- --watch`.
 * `undefined` when the line could do more than that one program, by the shell's own syntax or because the
 * program runs whatever it is given.
 */
export function commandRoot(command: string): string | undefined {
  const line = command.trim();
  if (line === '' || shellSyntax.test(line)) return undefined;
  const words = line.split(/\s+/);
  const program = words[0]!;
  if (program.includes('=') || runsAnything.has(program)) return undefined;
  if (!hasSubcommands.has(program)) return program;
  const subcommand = words[1];
  if (subcommand === undefined) return program;
  if (subcommand.startsWith('-')) return undefined;
  if (!runsScripts.has(subcommand)) return `${program} ${subcommand}`;
  const script = words[2];
  return script === undefined || script.startsWith('-') ? undefined : `${program} ${subcommand} ${script}`;
}

/** A plain command line that starts with the words of `root`. */
export function hasRoot(command: string, root: string): boolean {
  const actual = commandRoot(command);
  return actual !== undefined && (actual === root || actual.startsWith(`${root} `));
}

/** Anything by which one line becomes more than one plain command. */
const shellSyntax = /[;&|<>$`()\n\r\\*?[\]{}~!#'"]/;

const hasSubcommands = new Set(
  'npm npx pnpm yarn bun git cargo go docker kubectl dotnet mvn gradle pip pip3 poetry uv make just rake bundle'.split(
    ' ',
  ),
);

const runsScripts = new Set(['run', 'run-script', 'exec', 'x']);

const runsAnything = new Set(
  'bash sh zsh fish dash env sudo doas xargs eval exec source time nohup nice timeout watch ssh find awk node deno python python3 perl ruby php npx'.split(
    ' ',
  ),
);
