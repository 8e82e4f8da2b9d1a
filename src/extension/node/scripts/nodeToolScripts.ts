/* Scripts of the model as processes of Node, in the sandbox of commands. */

import { StringDecoder } from 'node:string_decoder';
import { SpokenError } from '../../base/errors.ts';
import type { ScriptExit, ScriptProcess, ToolScripts } from '../../platform/customizations/toolScripts.ts';
import type { Sandbox } from '../../platform/sandbox.ts';
import { Programs } from '../processes/programs.ts';
import { NodeServerProcesses } from '../processes/serverProcesses.ts';
import { scriptChild } from './scriptChild.ts';

/** Characters of one line, and of all that a script writes. */
const limits = { line: 8_000_000, all: 40_000_000, said: 2_000 };

/** Kilobytes of memory that the program may write to, and megabytes of the script's own objects. */
const memory = { all: 1_000_000, objects: 256 };

/**
 * The workspace can be read and nothing written but a private temporary folder. Node is named, since it may lie in the
 * temporary folder of the system.
 */
const sandboxed = {
  grants: { write: [], hosts: [] },
  background: false,
  lasting: true,
  read: [process.execPath],
} as const;

export class NodeToolScripts implements ToolScripts {
  private readonly sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>;
  private readonly folders: readonly string[];

  /** @param folders of the workspace, absolute: no program of theirs is started */
  constructor(sandbox: Pick<Sandbox, 'whyMissing' | 'contain'>, folders: readonly string[]) {
    this.sandbox = sandbox;
    this.folders = folders;
  }

  whyMissing = () => this.sandbox.whyMissing();

  async start(hear: (line: string) => void): Promise<ScriptProcess> {
    const why = await this.whyMissing();
    if (why !== undefined) throw new SpokenError(why);
    const node = [process.execPath, `--max-old-space-size=${memory.objects}`];
    const flags = ['--disallow-code-generation-from-strings', '--no-warnings', '-e', `(${scriptChild})()`];
    // Nothing of the host's environment reaches a script.
    const processes = new NodeServerProcesses({}, new Programs(() => this.folders, {}));
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
