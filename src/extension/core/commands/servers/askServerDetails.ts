/*
 * Asks for a server step by step: transport, command or URL, variables or headers, name and place. Returns an argument
 * for `/mcp add`.
 */

import { t } from '../../../../protocol/language.ts';
import { headOf } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import { quoteWord, splitWords } from '../template/words.ts';
import {
  type AddServerRequest,
  findNameFault,
  looksLikeUrl,
  parseAddServerArguments,
} from './parseAddServerArguments.ts';

/** Each resolves with undefined if the user cancels. */
export interface ServerDialogs {
  pick<T extends string>(
    title: string,
    choices: readonly ServerDialogChoice<T>[],
    how: { readonly active?: T; readonly typing?: TypedServerChoice<T> },
  ): Promise<T | undefined>;
  enter(question: ServerQuestion): Promise<string | undefined>;
}

export interface ServerDialogChoice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly detail: string;
}

/** Lets users type or paste a command or URL where only its kind is asked for. */
export interface TypedServerChoice<T extends string> {
  /** Initial text. */
  readonly value: string;
  choiceFor(text: string): T;
  /** Receives the text when a choice is taken. */
  keep(text: string): void;
}

interface ServerQuestion {
  readonly title: string;
  readonly prompt: string;
  /** Initial text. */
  readonly value: string;
  /** Masks the text. */
  readonly secret: boolean;
  /** Returns a sentence for an invalid text. */
  readonly findFault: (text: string) => string | undefined;
}

/** The user's answers so far, with secrets. */
export interface ServerAnswers {
  /** A command, a URL or a pasted `mcp add` line. */
  target?: string;
  transport?: Transport;
  /** Variables or a header. */
  more?: string;
  /** Only if it differs from the derived one. */
  name?: string;
  scope?: Scope;
}

/**
 * Asks only for what was not typed. The name is derived, and offered for change.
 * @param hasFolder a folder is open, so the server can be saved for the workspace
 * @param taken names of servers
 * @param known receives each answer; answers of an earlier time are filled in
 */
export async function askServerDetails(
  questions: ServerDialogs,
  hasFolder: boolean,
  taken: readonly string[],
  known: ServerAnswers = {},
): Promise<string | undefined> {
  let typed = '';
  const transport = await questions.pick(t('Add a server: how it is reached'), transports(), {
    typing: {
      value: known.target ?? '',
      choiceFor: text => (!looksLikeUrl(text.trim()) ? 'stdio' : known.transport === 'sse' ? 'sse' : 'http'),
      keep: text => {
        typed = text.trim();
      },
    },
  });
  if (transport === undefined) return undefined;
  known.transport = transport;
  known.target = typed;
  const askPlace = async (name: string) => {
    if (!hasFolder) return 'user';
    const title = t('Add the server {0}: where it is kept', name);
    const scope = await questions.pick(title, scopes(), { active: known.scope });
    known.scope = scope ?? known.scope;
    return scope;
  };
  const line = commandLineOf(typed);
  if (line !== undefined) {
    const request = parseLine(line);
    // `/mcp add` says what is wrong with it.
    if (request === undefined || request.place !== undefined) return line;
    const scope = await askPlace(request.name);
    return scope && [`--scope ${scope}`, line].join(' ');
  }
  const isProgram = transport === 'stdio';
  const question = isProgram ? commandQuestion(typed) : addressQuestion(typed);
  const isKnown =
    typed !== '' && looksLikeUrl(typed) !== isProgram && question.findFault(typed) === undefined;
  const target = isKnown ? typed : await questions.enter(question);
  if (target === undefined) return undefined;
  known.target = target;
  const given = known.more ?? '';
  const more = await questions.enter(isProgram ? variableQuestion(given) : headerQuestion(given));
  if (more === undefined) return undefined;
  known.more = more;
  const derived = nameFrom(target);
  const name = await questions.enter(nameQuestion(known.name ?? derived, taken));
  if (name === undefined) return undefined;
  known.name = name === derived ? undefined : name;
  const scope = await askPlace(name);
  if (scope === undefined) return undefined;
  const along = isProgram
    ? splitWords(more).map(pair => `--env ${quoteWord(pair)}`)
    : more.trim() === ''
      ? []
      : [`--header ${quoteWord(more.trim())}`];
  const place = [`--transport ${transport}`, `--scope ${scope}`, ...along].join(' ');
  return `${place} ${name} -- ${isProgram ? target.trim() : quoteWord(target.trim())}`;
}

/** Returns the argument of a pasted `/mcp add …`, also from the documentation of a server for another agent. */
function commandLineOf(text: string): string | undefined {
  return /^(?:\/|[\w-]+\s+)?mcp\s+add\s+([\s\S]+)$/.exec(text)?.[1];
}

/** Returns `undefined` if `/mcp add` refuses the line. */
function parseLine(line: string): AddServerRequest | undefined {
  try {
    return parseAddServerArguments(line);
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function findFault(name: string, taken: readonly string[]): string | undefined {
  return taken.includes(name)
    ? t('There is already a server {0}. Type another name.', name)
    : findNameFault(name);
}

type Transport = 'stdio' | 'http' | 'sse';

function transports(): readonly ServerDialogChoice<Transport>[] {
  return [
    {
      value: 'stdio',
      label: t('A program'),
      detail: t('It runs on this machine, as with npx, uvx or docker'),
    },
    {
      value: 'http',
      label: t('An address'),
      detail: t('Streamable HTTP, which most servers on the web speak'),
    },
    { value: 'sse', label: t('An address, the older way'), detail: t('Server-sent events') },
  ];
}

type Scope = 'user' | 'project';

function scopes(): ServerDialogChoice<Scope>[] {
  return [
    {
      value: 'user',
      label: t('For you, everywhere'),
      detail: t('.gemini/settings.json in your home folder'),
    },
    {
      value: 'project',
      label: t('For this workspace'),
      detail: t('.gemini/settings.json in its first folder, which you may share with others'),
    },
  ];
}

function commandQuestion(value: string): ServerQuestion {
  return {
    title: t('Add a server: its command'),
    prompt: t(
      'As you would type it in a terminal, such as: npx -y tide-server. It is started to see whether it works.',
    ),
    value,
    secret: false,
    findFault: text =>
      splitWords(text).length === 0 ? t('Type the command, or press Escape to leave.') : undefined,
  };
}

function addressQuestion(typed: string): ServerQuestion {
  return {
    title: t('Add a server: its address'),
    prompt: t('For example: https://issues.example/mcp'),
    value: looksLikeUrl(typed) ? typed : 'https://',
    secret: false,
    findFault: text =>
      looksLikeUrl(text.trim()) && URL.canParse(text.trim())
        ? undefined
        : t('Type an address that begins with http:// or https://, or press Escape to leave.'),
  };
}

function variableQuestion(value: string): ServerQuestion {
  return {
    title: t('Add a server: variables, if it needs any'),
    prompt: t(
      'NAME=value, separated by spaces. Secrets are kept in the secret storage. Leave empty for none.',
    ),
    value,
    secret: true,
    findFault: text =>
      splitWords(text).every(pair => /^[A-Za-z_]\w*=/.test(pair))
        ? undefined
        : t('Write each as NAME=value.'),
  };
}

function headerQuestion(value: string): ServerQuestion {
  return {
    title: t('Add a server: a header, if it needs one'),
    prompt: t(
      'For example: Authorization: Bearer …. Secrets are kept in the secret storage. Leave empty for none.',
    ),
    value,
    secret: true,
    findFault: text =>
      text.trim() === '' || /^[\w-]+\s*:\s*\S/.test(text.trim()) ? undefined : t('Write it as NAME: value.'),
  };
}

function nameQuestion(value: string, taken: readonly string[]): ServerQuestion {
  return {
    title: t('Add a server: its name'),
    prompt: t('You allow or deny its tools under this name.'),
    value,
    secret: false,
    findFault: name => findFault(name, taken),
  };
}

/** Suggests a name from the host of a URL, or the package of a command. */
function nameFrom(target: string): string {
  const host = looksLikeUrl(target.trim()) ? URL.parse(target.trim())?.hostname : undefined;
  const words = splitWords(target).filter(word => !word.startsWith('-'));
  const runners = ['npx', 'uvx', 'bunx', 'docker', 'run', 'node', 'python', 'python3', 'pnpm', 'dlx', 'exec'];
  const word = host ?? words.find(each => !runners.includes(each)) ?? words[0] ?? '';
  const last = host ? word : nameOfProgram(word);
  return headOf(last.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, ''), 60);
}

/** Skips generic names: for `dist/index.js`, uses the folder above. */
function nameOfProgram(path: string): string {
  const names = path.split(/[\\/]/).map(part => part.replace(/(?<=.)@[^@]*$/, '').replace(/\.\w+$/, ''));
  const says = (name: string) => name !== '' && !/^(index|main|cli|dist|build|out|lib|src|bin)$/.test(name);
  return names.findLast(says) ?? names.at(-1) ?? '';
}
