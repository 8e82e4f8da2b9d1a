/* The real program for spec-driven work, as a user runs it in their project; it sends nothing anywhere. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const program = resolve(import.meta.dirname, '../../node_modules/@fission-ai/openspec/bin/openspec.js');

/** What the program sets up for such agents, to be copied: each run of it costs more than most tests. */
export class OpenspecTemplate {
  private readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(tools: string): Promise<OpenspecTemplate> {
    const template = new OpenspecTemplate(await mkdtemp(join(tmpdir(), 'folio-openspec-')));
    await mkdir(template.folder);
    await openspec(template.folder, 'init', '--tools', tools);
    return template;
  }

  async copyTo(folder: string): Promise<void> {
    await cp(this.folder, folder, { recursive: true });
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private get folder(): string {
    return join(this.root, 'project');
  }
}

/** Rejects with what it printed when it does not end well. */
export async function openspec(folder: string, ...args: readonly string[]): Promise<string> {
  const home = join(folder, '..');
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    OPENSPEC_TELEMETRY: '0',
    DO_NOT_TRACK: '1',
    CI: '1',
  };
  const { stdout } = await run(process.execPath, [program, ...args], { cwd: folder, env });
  return stdout;
}
