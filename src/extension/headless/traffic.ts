/* Records the model's answers with `--record`, and replays them with `--replay`. */

import { openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../base/errors.ts';
import type { ModelProvider } from '../core/model.ts';
import { type HeadlessArguments, UsageError } from './arguments.ts';

/** Throws a `UsageError` if the file cannot be replayed. */
export async function readReplay(path: string): Promise<ModelProvider> {
  const { replayTraffic } = await import('../core/traffic/replayTraffic.ts');
  try {
    return replayTraffic(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${path} cannot be replayed: ${messageOf(error)} Name a file that --record has written.`,
    );
  }
}

/** Records the provider's traffic if requested. Throws a `UsageError` if the file cannot be written. */
export async function withRecording(
  provider: ModelProvider,
  { record }: Pick<HeadlessArguments, 'record'>,
  notify: (sentence: string) => void,
): Promise<ModelProvider> {
  if (record === undefined) return provider;
  const { observeTraffic } = await import('../core/traffic/observeTraffic.ts');
  const { trafficWriter } = await import('../core/traffic/trafficWriter.ts');
  try {
    const file = new LineFile(record, notify);
    return observeTraffic(
      provider,
      trafficWriter(line => file.append(line)),
    );
  } catch (error) {
    throw new UsageError(`${record} cannot be written: ${messageOf(error)}`);
  }
}

/**
 * An append-only file of lines, readable only by its owner. Each line is passed to the system before `append` returns.
 * Reports the first write error and drops later lines. Stays open while the process runs. Throws if the file cannot be
 * opened.
 */
class LineFile {
  private readonly file: number;
  private readonly path: string;
  private readonly notify: (sentence: string) => void;
  private hasFailed = false;

  constructor(path: string, notify: (sentence: string) => void) {
    this.path = path;
    this.notify = notify;
    this.file = openSync(path, 'a', 0o600);
  }

  append(line: string): void {
    if (this.hasFailed) return;
    try {
      writeSync(this.file, `${line}\n`);
    } catch (error) {
      this.hasFailed = true;
      this.notify(`${this.path} could not be written and ends here: ${messageOf(error)}`);
    }
  }
}
