import { settingKeys } from '../../src/extension/platform/settingFiles/settingKeys.ts';
import type { Manifest, SettingEntry, SettingSection } from './manifest.ts';
import { code, markdownTable } from './markdown.ts';

const ownKeys = new Set(settingKeys.map(({ key }) => key));
const onlyYours = /\b(?:workspace cannot set this|no workspace)\b/;

/** Lists all settings, in the sections of VS Code's settings editor, which has the rest of each text. */
export function settingLists({ settings }: Manifest): string {
  const sections = settings.toSorted((one, other) => one.order - other.order);
  return sections.map(section => `### ${section.title}\n\n${settingList(section)}`).join('\n\n');
}

function settingList({ properties }: SettingSection): string {
  const inOrder = Object.entries(properties).toSorted(([, one], [, other]) => one.order - other.order);
  return inOrder.map(([name, setting]) => lineOf(name, setting)).join('\n');
}

function lineOf(name: string, setting: SettingEntry): string {
  // A link to a command works in the settings editor only.
  const text = (setting.markdownDescription ?? setting.description ?? '').replace(
    /\[([^\]]+)\]\(command:[^)]+\)/g,
    '*Folio: $1*',
  );
  const facts = [
    setting.default === '' ? 'empty' : code(JSON.stringify(setting.default)),
    ...(onlyYours.test(text) ? ['yours'] : []),
    ...(ownKeys.has(name) ? [] : ['VS Code']),
  ];
  return `- ${code(name)} (${facts.join(', ')}): ${describe(text, setting)}`;
}

/** Keys that other programs read from the same files. */
export function foreignKeyTable(): string {
  const foreign = settingKeys.filter(({ key }) => !key.startsWith('folio.'));
  return markdownTable(
    ['key', 'what may stand there'],
    foreign.map(({ key, expected }) => [code(key), expected()]),
  );
}

/** The first sentence, those that say what an absent value means, and the values to choose from. */
function describe(text: string, setting: SettingEntry): string {
  const [first = '', ...others] = text.split(/(?<=[.)])\s+(?=[A-Z0-9`])/);
  const choices = setting.enum?.filter(value => value !== '') ?? setting.items?.enum ?? [];
  return [
    first,
    ...others.filter(sentence => /^(?:Empty|Unset|0)\b/.test(sentence)),
    ...(choices.length > 0 ? [`Values: ${choices.map(code).join(', ')}.`] : []),
  ].join(' ');
}
