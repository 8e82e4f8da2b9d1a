import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyTool, PrepareResult, ToolRunContext } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { type ShownResult, shown } from './useTool.ts';

/** A call whose live output is kept in memory and whose saved outputs are files of a temp folder. */
export class RecordingCall implements ToolRunContext {
  readonly callId = 'call-1';
  readonly files = new NodeFileSystem();
  readonly folder: string;
  readonly stopper = new AbortController();
  readonly signal = this.stopper.signal;
  sandboxed: ToolRunContext['sandboxed'];
  live = '';
  readonly saved: string[] = [];
  /** Runs after each piece of live output. */
  onWrite: () => void = () => {};

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<RecordingCall> {
    return new RecordingCall(await mkdtemp(join(tmpdir(), 'folio-call-')));
  }

  readonly write = (text: string): void => {
    this.live += text;
    this.onWrite();
  };

  readonly saveOutput = async (output: string | Uint8Array): Promise<string> => {
    const path = join(this.folder, `output-${this.saved.length}.txt`);
    await writeFile(path, output);
    this.saved.push(path);
    return path;
  };

  prepare(tool: AnyTool, args: unknown): Promise<PrepareResult<unknown>> {
    return tool.prepare(tool.input().parse(args), this);
  }

  async use(tool: AnyTool, args: unknown): Promise<ShownResult> {
    const input = tool.input().parse(args);
    const { plan } = await tool.prepare(input, this);
    return shown(await tool.run(input, plan, this));
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
