/** Enough for a stack trace and what stands above it. */
const kept = 60;

/** The last lines that a program wrote to standard error. */
export class ServerLog {
  private readonly lines: string[] = [];

  add(line: string): void {
    this.lines.push(line);
    if (this.lines.length > kept) this.lines.shift();
  }

  /** The line that says why the program ended. Empty if it wrote none. */
  get reason(): string {
    return findReason(this.lines);
  }
}

/**
 * Lines that runtimes and package managers write below the reason: stack frames (Node, Java, .NET, Go), the rest of a
 * printed error object, and hints.
 */
const noise = [
  /^\s*$/,
  /^\s*(?:at |\.\.\. \d+ more$|[\^~]+$|throw )/,
  /^(?:Node\.js|Bun|Deno|npm) v?\d/,
  /^(?:Require stack:|- \S*[\\/]\S*)$/,
  /^\s*(?:code|errno|syscall|path|address|port|hostname|requireStack|spawnargs|url|generatedMessage): /,
  /^\s*[\]}[{),;]+$/,
  /^\s*'[^']*',?$/,
  /^npm (?:error|ERR!)(?: \S+)?$/,
  /^npm (?:error|ERR!) A complete log of this run /,
  /^(?:note|help|hint): /i,
  /^(?:See|Run|Try|Use) .*(?:--help|help|for more information)\b/,
  /^\(Use `node /,
  /^goroutine \d+ |^\s+\S+\.go:\d+|^[\w./*()-]+\((?:0x[\da-f].*|\.\.\.)?\)$|^exit status \d+$/,
];

/** @param lines of standard error, in their order */
export function findReason(lines: readonly string[]): string {
  const reason = lines.findLast(line => !noise.some(pattern => pattern.test(line)));
  // An error object is printed behind its message.
  return (reason ?? lines.findLast(line => line.trim() !== '') ?? '').trim().replace(/ \{$/, '');
}
