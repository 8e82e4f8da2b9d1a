import { settingKeys } from '../../src/extension/platform/settingFiles/settingKeys.ts';
import type { Manifest, SettingEntry, SettingSection } from './manifest.ts';
import { code } from './markdown.ts';

const ownKeys = new Set(settingKeys.map(({ key }) => key));
const zeroIsOff = '0 switches it off.';
const onlyYours = /\b(?:workspace cannot set this|no workspace)\b/;

/** Lists all settings by section of VS Code's settings editor, which has the full texts. */
export function settingLists({ settings }: Manifest): string {
  const sections = settings.toSorted((one, other) => one.order - other.order);
  return sections.map(section => `### ${section.title}\n\n${settingList(section)}`).join('\n\n');
}

function settingList({ properties }: SettingSection): string {
  const inOrder = Object.entries(properties).toSorted(([, one], [, other]) => one.order - other.order);
  return inOrder.map(([name, setting]) => lineOf(name, setting)).join('\n');
}

function lineOf(name: string, setting: SettingEntry): string {
  // Command links work only in the settings editor.
  const text = (setting.markdownDescription ?? setting.description ?? '').replace(
    /\[([^\]]+)\]\(command:[^)]+\)/g,
    '*Folio: $1*',
  );
  const facts = [
    setting.default === '' ? 'empty' : code(JSON.stringify(setting.default)),
    ...(text.includes(zeroIsOff) ? ['0: off'] : []),
    ...(onlyYours.test(text) ? ['yours'] : []),
    ...(ownKeys.has(name) ? [] : ['VS Code']),
  ];
  return `- ${code(name)} (${facts.join(', ')}): ${describe(text, setting)}`;
}

/** Lists keys of other programs in the same files, grouped by allowed value. */
export function foreignKeyList(): string {
  const foreign = settingKeys.filter(({ key }) => !key.startsWith('folio.'));
  const groups = new Map<string, readonly string[]>();
  for (const { key, expected } of foreign)
    groups.set(expected(), [...(groups.get(expected()) ?? []), code(key)]);
  return [...groups].map(([expected, keys]) => `- ${keys.join(', ')}: ${expected}`).join('\n');
}

/** Returns the first sentence, those about an absent value, and the allowed values. */
function describe(text: string, setting: SettingEntry): string {
  const [first = '', ...others] = text.split(/(?<=[.)])\s+(?=[A-Z0-9`])/);
  const absent = others.filter(sentence => /^(?:Empty|Unset|0)\b/.test(sentence) && sentence !== zeroIsOff);
  const choices = setting.enum?.filter(value => value !== '') ?? setting.items?.enum ?? [];
  return [
    ...[first, ...absent].map(shorten),
    ...(choices.length > 0 ? [`Values: ${choices.map(code).join(', ')}.`] : []),
  ].join(' ');
}

/** Removes plain examples, and what follows a colon or semicolon. */
function shorten(sentence: string): string {
  const plain = sentence.replaceAll(/,? (?:for example|such as) `[^`{]+`(?: or `[^`]+`)?(?=\.)/g, '');
  const ends = [...plain.matchAll(/[:;] /g)].map(({ index }) => plain.slice(0, index));
  const main = ends.find(words => isWhole(words) && words.split(' ').length > 5);
  return main === undefined ? plain : `${main}.`;
}

/** Returns true if no code and no emphasis is open at the end. */
function isWhole(words: string): boolean {
  return words.split('`').length % 2 === 1 && words.replaceAll(/`[^`]*`/g, '').split('*').length % 2 === 1;
}
