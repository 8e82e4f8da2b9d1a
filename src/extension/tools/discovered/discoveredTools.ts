import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { AnyTool } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HookExit, HookProcesses } from '../../platform/customizations/hooks.ts';
import {
  isSandboxEntry,
  readSandboxEntry,
  sandboxShape,
} from '../../platform/customizations/sandboxEntry.ts';
import { discoveredTool } from './discoveredTool.ts';
import { parseDeclarations } from './parseDeclarations.ts';

/** `tools` of a settings file. */
export interface DiscoveryEntry {
  readonly discoveryCommand: string;
  readonly callCommand?: string;
  /** `tools.discoverySandbox` as it is written. */
  readonly sandbox?: unknown;
  /** The settings file, absolute. */
  readonly path: string;
}

interface DiscoveryPorts {
  readonly processes: Pick<HookProcesses, 'run'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Where the programs run: the first workspace folder, absolute and real. */
  readonly folder: () => Promise<string | undefined>;
  /** Entries of all settings files that are in force at present; a later one overrides an earlier one. */
  readonly entries: () => readonly DiscoveryEntry[];
  /** Reads the settings files again, after which `entries` is up to date. */
  readonly recheck: () => Promise<void>;
  readonly trusted: () => boolean;
  /** Called once for each tool or entry that cannot be used. */
  readonly notify: (sentence: string) => void;
  /** Only tests set them. */
  readonly limits?: Partial<DiscoveryLimits>;
}

interface DiscoveryLimits {
  readonly discoveryMs: number;
  readonly callMs: number;
  /** How long a prompt waits for the list; it may come for a later step. */
  readonly patienceMs: number;
}

const usualLimits: DiscoveryLimits = { discoveryMs: 30_000, callMs: 600_000, patienceMs: 3_000 };

/** Tools that a command of the settings lists; it is run once, and again when the settings or the folder change. */
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

  /** The same list as long as nothing changes. */
  get tools(): readonly AnyTool[] {
    return this.list;
  }

  /** Called when a turn begins. Waits for a list only for a little while. Never rejects. */
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
    // Also a command of the user's own may lead to a program in the folder.
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

  /** When two tools share a name, that of the more important entry counts. */
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
        t('{0}: discovered tools are disabled: {1}', path, `tools.discoverySandbox ${sandboxShape()}.`),
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

/** The end of a sentence; `undefined` when it ended well. */
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
