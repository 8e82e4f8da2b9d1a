/*
 * Canonical forms of a command: the program without path or variant spelling, the subcommand without preceding options,
 * and the options as a set. Rules that forbid or ask compare these, so that neither order nor spelling hides a command.
 */

import type { Word } from './analysis.ts';
import { type CommandForm, type FormWord, parseForm, rawWord } from './formParser.ts';
import { findOptionRow, isGitCommand } from './programOptions.ts';

/** Returns the forms of one command; none if the program is known only at run time. */
export function commandFormsOf(words: readonly Word[]): readonly CommandForm[] {
  return spellingsOf(words).map(parseForm);
}

/** Returns the forms of the words in a rule. */
export function formsOfText(text: string): readonly CommandForm[] {
  return commandFormsOf(text.trim().split(/\s+/).map(rawWord));
}

/** Returns the texts of a command that a pattern may expect. Options may follow any of its words. */
export function matchableTexts({ words, options }: CommandForm): readonly string[] {
  const bare = words.map(({ word }) => (word.kind === 'unknown' ? '' : word.value));
  const long = options.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`));
  const letters = [...new Set(options.flatMap(({ name }) => shortNames(words, name)))];
  const others = options.map(({ name }) => name).filter(name => shortNames(words, name).length === 0);
  const clusters = permutationsOf(letters).map(each => [`-${each.join('')}`, ...others]);
  const written = [
    long,
    long.map(each => each.replace('=', ' ')),
    [...letters.map(letter => `-${letter}`), ...others],
    ...(letters.length > 0 ? clusters : []),
    ...long.slice(0, maxSingle).map(each => [each]),
  ];
  return [1, 2, 3, bare.length].flatMap(at =>
    written.map(each => [...bare.slice(0, at), ...each, ...bare.slice(at)].join(' ')),
  );
}

/** Options that are also written as separate letters. */
const maxSingle = 20;

function shortNames(words: readonly FormWord[], name: string): readonly string[] {
  if (/^-\w$/.test(name)) return [name.slice(1)];
  const path = words.map(({ word }) => (word.kind === 'plain' ? word.value : ''));
  for (let count = Math.min(3, path.length); count > 0; count--) {
    const row = findOptionRow(path.slice(0, count).join(' '));
    const found =
      row && [...row.anywhere].find(([short, option]) => option.name === name && /^-\w$/.test(short));
    if (found) return [found[0].slice(1)];
  }
  return [];
}

/** Returns all orders of up to four letters; of more, only the given one. */
function permutationsOf(letters: readonly string[]): readonly (readonly string[])[] {
  if (letters.length > 4) return [letters];
  if (letters.length === 0) return [[]];
  return letters.flatMap((letter, at) =>
    permutationsOf([...letters.slice(0, at), ...letters.slice(at + 1)]).map(rest => [letter, ...rest]),
  );
}

const programNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:python|pypy)(?:3[\d.]*)?$|^py$/, 'python'],
  [/^pip3[\d.]*$/, 'pip'],
  [/^nodejs$/, 'node'],
  [/^gmake$/, 'make'],
  [/^yarnpkg$/, 'yarn'],
  [/^docker-compose$/, 'docker compose'],
  [/^podman-compose$/, 'podman compose'],
  [/^gsed$/, 'sed'],
];

/** Returns the name of a program, and its subcommand if the name contains it. */
function namesOf(value: string): readonly string[] {
  const base = value.split(/[\\/]/).at(-1) || value;
  const name = base
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, '')
    // Strips a version, as in npx.
    .replace(/(?<=\w)@[\w.^~-]+$/, '');
  const part = /^git-(.+)$/.exec(name)?.[1];
  if (part !== undefined && isGitCommand(part)) return ['git', part];
  const usual = programNames.find(([pattern]) => pattern.test(name))?.[1];
  return usual?.split(' ') ?? [name];
}

/** Adds equivalent commands, such as `pip` for `python -m pip`. */
function spellingsOf(words: readonly Word[], depth = 0): readonly (readonly Word[])[] {
  const [first, ...rest] = words;
  if (first?.kind !== 'plain' || first.value === '' || depth > 4) return [];
  const own = [...namesOf(first.value).map(rawWord), ...rest];
  return [own, ...standsFor(own).flatMap(each => spellingsOf(each, depth + 1))];
}

function standsFor(words: readonly Word[]): readonly (readonly Word[])[] {
  const [program, ...args] = words;
  switch (program?.kind === 'plain' ? program.value : '') {
    case 'python':
    case 'python2':
      return ofModule(args);
    case 'node':
      return ofScript(args);
    default:
      return ofTable(words);
  }
}

function ofModule(args: readonly Word[]): readonly (readonly Word[])[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const value = word.kind === 'plain' ? word.value : '';
    const module = /^-[a-zA-Z]*?m(.*)$/.exec(value)?.[1];
    if (module) return [[rawWord(module), ...args.slice(at + 1)]];
    if (module === '') return at + 1 < args.length ? [args.slice(at + 1)] : [];
    if (/^-[XW]$/.test(value)) at++;
    else if (!value.startsWith('-')) break;
  }
  return [];
}

/** `node …/npm-cli.js publish`. */
function ofScript(args: readonly Word[]): readonly (readonly Word[])[] {
  const at = args.findIndex(word => !(word.kind === 'plain' && word.value.startsWith('-')));
  const script = args[at];
  const name =
    script?.kind === 'plain'
      ? /(?:^|[\\/])(npm|npx|yarn|pnpm|corepack)(?:-cli)?\.c?js$/.exec(script.value)?.[1]
      : undefined;
  return name === undefined ? [] : [[rawWord(name), ...args.slice(at + 1)]];
}

/** Maps the first words of a command to an equivalent. With an empty one, the remaining words are the command. */
const replaced: readonly (readonly [string, string])[] = [
  ['docker container', 'docker'],
  ['docker image rm', 'docker rmi'],
  ['docker image push', 'docker push'],
  ['docker image pull', 'docker pull'],
  ['docker image build', 'docker build'],
  ['docker buildx build', 'docker build'],
  ['podman container', 'podman'],
  ['gcloud alpha', 'gcloud'],
  ['gcloud beta', 'gcloud'],
  ['yarn npm', 'yarn'],
  ['corepack', ''],
  ['npx', ''],
  ['bunx', ''],
  ...['exec', 'dlx', 'x'].flatMap(word =>
    ['npm', 'pnpm', 'yarn', 'bun'].map(name => [`${name} ${word}`, ''] as const),
  ),
  ['pipx run', ''],
  ['uvx', ''],
  ['uv run', ''],
  ['uv tool run', ''],
  ['uv pip', 'pip'],
  ...['poetry', 'pipenv', 'pdm', 'rye', 'hatch'].map(name => [`${name} run`, ''] as const),
  ['bundle exec', ''],
  ['dotnet tool run', ''],
];

function ofTable(words: readonly Word[]): readonly (readonly Word[])[] {
  const form = parseForm(words);
  const path = form.words.map(({ word }) => (word.kind === 'plain' ? word.value : ''));
  const found = replaced.flatMap(([from, to]) => {
    const start = from.split(' ');
    if (!start.every((word, at) => path[at] === word)) return [];
    // A possible value of the option before it may also be the first word.
    const places = form.words.slice(start.length);
    const certain = places.findIndex(({ mayBeValue }) => !mayBeValue);
    return places
      .slice(0, certain < 0 ? places.length : certain + 1)
      .map(({ at }) => [...(to === '' ? [] : to.split(' ').map(rawWord)), ...words.slice(at)]);
  });
  const destroys =
    /^(?:terraform|tofu|terragrunt) apply$/.test(path.slice(0, 2).join(' ')) &&
    form.options.some(({ name }) => name === '-destroy');
  if (destroys) found.push([words[0]!, rawWord('destroy'), ...words.slice(form.words[1]!.at + 1)]);
  return [...found, ...ofGitAlias(words, form)];
}

/** `git -c alias.p=push p`. Aliases that begin with `!` are scripts, handled in git.ts. */
function ofGitAlias(words: readonly Word[], form: CommandForm): readonly (readonly Word[])[] {
  const [program, name] = form.words;
  if (
    !program ||
    !name ||
    name.word.kind !== 'plain' ||
    words[0]?.kind !== 'plain' ||
    words[0].value !== 'git'
  )
    return [];
  const alias = name.word.value.toLowerCase();
  return form.options.flatMap(option => {
    const [, key, value] = /^alias\.([^=]+)=([^!].*)$/s.exec(option.value ?? '') ?? [];
    if (option.name !== '-c' || value === undefined || key?.toLowerCase() !== alias) return [];
    return [[words[0]!, ...value.trim().split(/\s+/).map(rawWord), ...words.slice(name.at + 1)]];
  });
}
