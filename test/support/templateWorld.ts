/* A real folder, a real shell and a policy that a test chooses, for templates of commands. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plainTerminalText } from '../../src/extension/base/terminalText.ts';
import { CommandError } from '../../src/extension/core/commandError.ts';
import { expandTemplate } from '../../src/extension/core/commands/template/expandTemplate.ts';
import type { ParsedTemplate } from '../../src/extension/core/commands/template/template.ts';
import type {
  TemplateAnswer,
  TemplateQuestion,
  TemplateServices,
} from '../../src/extension/core/commands/template/templateSources.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { Verdict } from '../../src/extension/core/policy/verdict.ts';
import { noWorkbench } from '../../src/extension/headless/editorStandIns.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { createMentionFiles } from '../../src/extension/tools/createMentionFiles.ts';
import { PushedClock } from './pushedClock.ts';

export class TemplateWorld {
  /** Absolute and real. */
  readonly folder: string;
  readonly reported: string[] = [];
  readonly asked: TemplateQuestion[] = [];
  readonly classified: string[] = [];
  readonly remembered: string[] = [];
  /** What the policy says of each command. */
  verdict: (command: string) => Verdict = () => ({ kind: 'allow' });
  /** What the user says. */
  answer: TemplateAnswer = 'once';
  outputLimit = 10_000;
  inactivityTimeout = 300;
  readonly clock = new PushedClock();
  readonly abort = new AbortController();
  private readonly processes = new NodeProcesses(process.env);

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TemplateWorld> {
    const world = new TemplateWorld(await realpath(await mkdtemp(join(tmpdir(), 'folio-template-'))));
    for (const [name, content] of Object.entries(files)) {
      const path = join(world.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    return world;
  }

  /** Fills a template as if `/test` was typed with this behind it. */
  async fill(parsed: ParsedTemplate, argument = ''): ReturnType<typeof expandTemplate> {
    if (parsed.kind === 'broken') throw new Error(`The template ${parsed.problem}.`);
    const typed = argument === '' ? '/test' : `/test ${argument}`;
    return expandTemplate(parsed.template, { name: 'test', argument, typed }, this.work());
  }

  /** The text alone, or the sentence of the refusal. */
  async text(parsed: ParsedTemplate, argument = ''): Promise<string> {
    try {
      return (await this.fill(parsed, argument)).text;
    } catch (error) {
      if (error instanceof CommandError) return error.message;
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.processes.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  work(): TemplateServices {
    const files = new NodeFileSystem();
    const search = new NodeSearch();
    const paths = new WorkspacePaths(files, [this.folder]);
    const nothing = () => {};
    return {
      mentions: {
        workbench: noWorkbench,
        folders: [this.folder],
        trusted: () => true,
        files: createMentionFiles({ files, search, paths }),
        diff: { readDiff: async () => ({ diff: '', untracked: [] }) },
        readPage: async () => '',
        log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      },
      processes: this.processes,
      clock: this.clock,
      platform: process.platform,
      folder: async () => this.folder,
      limits: () => ({ outputLength: this.outputLimit, inactivityTimeout: this.inactivityTimeout }),
      plainText: plainTerminalText,
      classify: async command => {
        this.classified.push(command);
        return this.verdict(command);
      },
      ask: async question => {
        this.asked.push(question);
        return this.answer;
      },
      remember: async ({ label }) => void this.remembered.push(label),
      notify: sentence => void this.reported.push(sentence),
      signal: this.abort.signal,
    };
  }
}

/** What a command printed, as it reaches the model. */
export function printed(text: string): string {
  return `<untrusted_output>\n${text}\n</untrusted_output>`;
}
