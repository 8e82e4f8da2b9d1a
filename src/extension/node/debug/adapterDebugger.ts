import { basename } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import {
  DebugError,
  type DebugEvent,
  type DebuggedProgram,
  type DebugStart,
  type LaunchConfiguration,
} from '../../platform/debug/debugger.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { NodeServerProcesses } from '../processes/serverProcesses.ts';
import { AdapterProgram } from './adapterProgram.ts';

interface AdapterPlace {
  /** Absolute path of the folder where programs run. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programs: ProgramFinder;
}

/** Starts an adapter for each program; it ends with the program. */
export class AdapterDebugger {
  private readonly place: AdapterPlace;
  private readonly processes: NodeServerProcesses;
  private running: AdapterProgram | undefined;

  constructor(place: AdapterPlace) {
    this.place = place;
    this.processes = new NodeServerProcesses(place.env, place.programs);
  }

  /** @param line command line of the adapter */
  async start(
    line: string,
    request: DebugStart,
    report: (event: DebugEvent) => void,
    signal: AbortSignal,
  ): Promise<DebuggedProgram> {
    const [command, ...args] = wordsOf(line);
    if (command === undefined) throw new DebugError('The setting folio.debug.adapter names no program.');
    const { folder } = this.place;
    const program = new AdapterProgram(this.processes.start({ command, args, cwd: folder, env: {} }), report);
    this.running = program;
    await program.start(request, signal);
    return program;
  }

  async close(): Promise<void> {
    await this.running?.stop();
    await this.processes.dispose();
  }
}

/** Splits at blanks outside of quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}

/** @param text content of a launch.json, possibly with comments. Throws `DebugError`. */
export function parseLaunchFile(text: string, folder: string): readonly LaunchConfiguration[] {
  const errors: ParseError[] = [];
  const { configurations } = fieldsOf(parse(text, errors, { allowTrailingComma: true }));
  if (errors.length > 0) throw new DebugError('.vscode/launch.json cannot be read. Correct it first.');
  const all = Array.isArray(configurations) ? configurations.filter(isRecord) : [];
  return all.map(values => ({
    name: textOrEmpty(values.name),
    type: textOrEmpty(values.type),
    request: values.request === 'attach' ? 'attach' : 'launch',
    values: fieldsOf(fill(values, folder)),
  }));
}

/** Replaces the workspace folder variables. Other variables need an editor, and are left to the adapter. */
function fill(value: unknown, folder: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(/\$\{workspace(?:Folder|Root)\}/g, () => folder)
      .replaceAll('${workspaceFolderBasename}', () => basename(folder));
  if (Array.isArray(value)) return value.map(each => fill(each, folder));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, folder)]));
}
