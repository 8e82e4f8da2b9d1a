import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { AnyTool } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HookExit, HookProcesses } from '../../platform/customizations/hooks.ts';
import {
  invalidSandboxEntryText,
  isSandboxEntry,
  readSandboxEntry,
} from '../../platform/customizations/sandboxEntry.ts';
import { discoveredTool } from './discoveredTool.ts';
import { parseDeclarations } from './parseDeclarations.ts';

/** `tools` of a settings file. */
export interface DiscoveryEntry {
  readonly discoveryCommand: string;
  readonly callCommand?: string;
  /** Value of `tools.discoverySandbox`, not validated. */
  readonly sandbox?: unknown;
  /** The settings file, absolute. */
  readonly path: string;
}

interface DiscoveryPorts {
  readonly processes: Pick<HookProcesses, 'run'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Returns the folder to run the programs in: the first of the workspace, absolute and real. */
  readonly folder: () => Promise<string | undefined>;
  /** Returns the entries of all active settings files. Later ones override earlier ones. */
  readonly entries: () => readonly DiscoveryEntry[];
  /** Reads the settings files again and updates `entries`. */
  readonly recheck: () => Promise<void>;
  readonly trusted: () => boolean;
  /** Called once for each unusable tool or entry. */
  readonly notify: (sentence: string) => void;
  /** Set only by tests. */
  readonly limits?: Partial<DiscoveryLimits>;
}

interface DiscoveryLimits {
  readonly discoveryMs: number;
  readonly callMs: number;
  /** How long a prompt waits for the list, which may arrive for a later step. */
  readonly patienceMs: number;
}

const usualLimits: DiscoveryLimits = { discoveryMs: 30_000, callMs: 600_000, patienceMs: 3_000 };

/** Tools listed by a command from the settings. It runs once, and again when settings or folder change. */
export class DiscoveredTools {
  private readonly ports: DiscoveryPorts;
  private readonly limits: DiscoveryLimits;
  private readonly reported = new Set<string>();
  private list: readonly AnyTool[] = [];
  private of = '[]';
  private running: AbortController | undefined;
  private discovering: Promise<void> = Promise.resolve();

  constructor(ports: DiscoveryPorts) {
    this.ports = ports;
    this.limits = { ...usualLimits, ...ports.limits };
  }

  /** Returns the same array while nothing changes. */
  get tools(): readonly AnyTool[] {
    return this.list;
  }

  /** Call when a turn begins. Waits a bounded time for a list. Never rejects. */
  async refresh(): Promise<void> {
    try {
      await this.begin();
      await new Promise<void>((resolve, reject) => {
        const takeBack = this.ports.clock.after(this.limits.patienceMs, resolve);
        this.discovering.then(resolve, reject).finally(takeBack);
      });
    } catch (error) {
      this.reportOnce(t('Discovered tools are disabled: {0}', messageOf(error)));
    }
  }

  private async begin(): Promise<void> {
    const { folder, entries, trusted } = this.ports;
    // Even the user's own command may run a program in the folder.
    const cwd = trusted() ? await folder() : undefined;
    const current = cwd === undefined ? [] : entries();
    const of = current.length === 0 ? '[]' : JSON.stringify([cwd, current]);
    if (of === this.of) return;
    this.of = of;
    this.list = [];
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.discovering = this.discoverAll(current, cwd ?? '', running.signal);
  }

  /** If two tools share a name, the more important entry wins. */
  private async discoverAll(
    entries: readonly DiscoveryEntry[],
    cwd: string,
    signal: AbortSignal,
  ): Promise<void> {
    const found = await Promise.all(entries.map(entry => this.discover(entry, cwd, signal)));
    if (signal.aborted) return;
    this.list = [...new Map(found.flat().map(tool => [tool.name, tool])).values()];
  }

  private async discover(
    entry: DiscoveryEntry,
    cwd: string,
    signal: AbortSignal,
  ): Promise<readonly AnyTool[]> {
    const { discoveryCommand: command, callCommand, path } = entry;
    const complain = (what: string) =>
      this.reportOnce(
        t('{0}: the command tools.discoveryCommand ({1}) {2}.', path, oneLine(command, 80), what),
      );
    if (callCommand === undefined || callCommand.trim() === '') {
      this.reportOnce(
        t('{0}: tools.discoveryCommand is ignored, because tools.callCommand is missing.', path),
      );
      return [];
    }
    if (!isSandboxEntry(entry.sandbox)) {
      this.reportOnce(
        t(
          '{0}: discovered tools are disabled: {1}',
          path,
          `tools.discoverySandbox ${invalidSandboxEntryText()}.`,
        ),
      );
      return [];
    }
    const sandbox = readSandboxEntry(entry.sandbox);
    const { discoveryMs: timeoutMs, callMs } = this.limits;
    const { processes } = this.ports;
    const exit = await processes.run(
      { command, cwd, env: {}, input: '', timeoutMs, graceMs: 500, sandbox },
      signal,
    );
    const failure = failureOf(exit, timeoutMs);
    if (signal.aborted || exit.kind !== 'ended' || failure) {
      if (!signal.aborted) complain(failure ?? t('did not end'));
      return [];
    }
    const { declarations, problems } = parseDeclarations(exit.stdout);
    for (const problem of problems) complain(problem);
    const isCurrent = () => this.isCurrent(entry);
    return declarations.map(declaration =>
      discoveredTool(declaration, { processes, callCommand, cwd, isCurrent, timeoutMs: callMs, sandbox }),
    );
  }

  private async isCurrent(entry: DiscoveryEntry): Promise<boolean> {
    const { recheck, entries, trusted } = this.ports;
    await recheck();
    const wanted = JSON.stringify(entry);
    return trusted() && entries().some(each => JSON.stringify(each) === wanted);
  }

  private reportOnce(sentence: string): void {
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    this.ports.notify(sentence);
  }
}

/** Returns the end of a sentence; `undefined` after a success. */
function failureOf(exit: HookExit, timeoutMs: number): string | undefined {
  switch (exit.kind) {
    case 'ended': {
      if (exit.code === 0) return undefined;
      const said = oneLine(exit.stderr || exit.stdout, 200);
      return said
        ? t('ended with exit code {0} and said "{1}"', exit.code ?? '?', said)
        : t('ended with exit code {0}', exit.code ?? '?');
    }
    case 'timedOut':
      return t('did not end within {0} seconds', timeoutMs / 1000);
    case 'failed':
      return t('gave no list: {0}', exit.message.replace(/\.$/, ''));
    case 'stopped':
      return t('was stopped');
  }
}
