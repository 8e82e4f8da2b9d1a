import { join } from 'node:path';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import { isFileName } from '../../../platform/settingFiles/settingChecks.ts';
import { savedMemoryFileName } from '../../context/memory.ts';

interface InitOrder {
  /** Absolute. */
  readonly folder: string;
  /** Name of the memory file; undefined: the default, since settings name none. */
  readonly name: string | undefined;
  /** The user's text after the command. */
  readonly intent: string;
}

/** Rejects if the file system fails. */
export async function composeInitPrompt(files: Pick<FileSystem, 'stat'>, order: InitOrder): Promise<string> {
  const name = isFileName(order.name) ? order.name : savedMemoryFileName;
  const path = join(order.folder, name);
  const stat = await files.stat(path);
  const task = stat?.kind === 'file' ? improve(name) : create(name);
  const intent = order.intent && `What matters to the user here: ${order.intent}`;
  return [task, survey, content, withoutCode, intent, finish(path)].filter(Boolean).join('\n\n');
}

function create(name: string): string {
  return `Write the memory file of this project, ${name}: standing instructions that you and other agents read with every prompt in it.`;
}

function improve(name: string): string {
  return `Improve the memory file of this project, ${name}: standing instructions that you and other agents read with every prompt in it. Read it first. Keep what people wrote on purpose, correct what is no longer true, add what is missing, and drop what any reader sees at once; where it is good, leave it alone.`;
}

const survey = `Look before you write, and only as far as it pays: the README, the manifests and lock files, the scripts and the continuous integration, the settings of linters and formatters, the top folders, then five to ten files that show how the code is made and tested. Where documents and code disagree, believe the code. What you did not see does not go in; where a newcomer needs what you cannot know, put a placeholder like \`[TODO: how to deploy]\`.`;

const content = `Write for a newcomer who is a good programmer and knows nothing of this project:
- what it is, in one or two sentences;
- the exact commands to install, build, check, run, and test, the one for a single test too;
- where things are: only what the names of folders do not say;
- the rules that its code really follows and a stranger would break: structure, naming, errors, tests;
- traps: order of steps, generated files that nobody edits, what must not be touched.
Leave out general advice, lists of all files, what changes every week, and anything secret. It costs tokens with each request: stay below 60 lines, with short headings, and say each thing once.`;

const withoutCode = `Where the folder holds no code (texts, research, notes, data), write instead: an overview of what it is for, its key files with what each holds, and how its contents are meant to be used.`;

function finish(path: string): string {
  return `Write it to ${path} in one go, then say in two sentences what is in it and what the user should check. Change no other file.`;
}
