/* Runs scripts of the model as Node processes, in the sandbox of commands. */

import { StringDecoder } from 'node:string_decoder';
import { LocalizedError } from '../../base/errors.ts';
import type {
  ScriptExit,
  ScriptProcess,
  ToolScriptRunner,
} from '../../platform/customizations/toolScriptRunner.ts';
import type { Sandbox } from '../../platform/sandbox.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { NodeServerProcesses } from '../processes/serverProcesses.ts';
import { runScriptChild } from './scriptChild.ts';

/** Characters of one line, and of a script's whole output. */
const limits = { line: 8_000_000, all: 40_000_000, said: 2_000 };

/** Kilobytes of writable memory of the program, and megabytes of the script's objects. */
const memory = { all: 1_000_000, objects: 256 };

/**
 * The workspace is readable, and only a private temporary folder is writable. Names Node's path, since it may be in the
 * system's temporary folder.
 */
const sandboxed = {
  grants: { write: [], hosts: [] },
  background: false,
  lasting: true,
  read: [process.execPath],
} as const;

export class NodeToolScriptRunner implements ToolScriptRunner {
  private readonly sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>;
  private readonly folders: readonly string[];

  /** @param folders absolute workspace folders, whose programs are never started */
  constructor(sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>, folders: readonly string[]) {
    this.sandbox = sandbox;
    this.folders = folders;
  }

  whyMissing = () => this.sandbox.whyMissing();

  async start(hear: (line: string) => void): Promise<ScriptProcess> {
    const why = await this.whyMissing();
    if (why !== undefined) throw new LocalizedError(why);
    const node = [process.execPath, `--max-old-space-size=${memory.objects}`];
    const flags = ['--disallow-code-generation-from-strings', '--no-warnings', '-e', `(${runScriptChild})()`];
    // A script gets no environment variables of the host.
    const processes = new NodeServerProcesses({}, new ProgramFinder(() => this.folders, {}));
    const child = processes.start({
      command: '/bin/sh',
      args: ['-c', `ulimit -d ${memory.all} 2>/dev/null; exec "$@"`, 'sh', ...node, ...flags],
      cwd: '/tmp',
      env: { ELECTRON_RUN_AS_NODE: '1' },
      sandboxed: await this.sandbox.contain(sandboxed),
    });
    const decoder = new StringDecoder('utf8');
    let [open, all, said, flooded] = ['', 0, '', false];
    child.onDidLog(line => {
      said = `${said}\n${line}`.slice(-limits.said);
    });
    child.onDidRead(bytes => {
      if (flooded) return;
      all += bytes.length;
      const lines = (open + decoder.write(Buffer.from(bytes))).split('\n');
      open = lines.pop() ?? '';
      flooded = all > limits.all || open.length > limits.line;
      if (flooded) void child.stop();
      for (const line of lines) hear(line);
    });
    const ended = child.exit.then(async ({ code, signal, failure, sandboxEnded }): Promise<ScriptExit> => {
      await processes.dispose();
      const neverRan = failure !== undefined || sandboxEnded === true;
      return { code, signal, said: failure ? failure() : said.trim(), neverRan, flooded };
    });
    return { send: line => child.write(`${line}\n`), ended, stop: () => child.stop() };
  }
}
