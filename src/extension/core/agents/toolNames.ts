/* Names of tools as files of agents write them: ours, with wildcards, and those of another program. */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { toolsCalled, toolsMeant, withoutToolHere } from '../toolNames.ts';

interface ReadToolNames {
  /** Ours, with wildcards; absent: nothing was said. */
  readonly tools?: readonly string[];
  /** Tools without effect, as a phrase without a full stop. */
  readonly remarks: readonly string[];
}

/** @param given a list, or names with commas between them */
export function readToolNames(given: string | readonly string[] | undefined): ReadToolNames {
  if (given === undefined) return { remarks: [] };
  const list = typeof given === 'string' ? given.split(/,(?![^(]*\))/) : given;
  const names = list.map(name => name.trim()).filter(name => name !== '');
  const found = names.map(name => ({ name, tools: toOurs(name.replace(/\(.*\)$/s, '')) }));
  const unknown = found.filter(({ tools }) => tools === undefined).map(({ name }) => name);
  const remarks = [
    ...(unknown.length > 0
      ? [t('Folio has no tools that are called {0}', oneLine(unknown.join(', '), 200))]
      : []),
    ...(names.some(name => name.includes('('))
      ? [t('what stands in brackets behind a tool has no effect, the permissions of the session hold')]
      : []),
  ];
  return { tools: [...new Set(found.flatMap(({ tools = [] }) => tools))], remarks };
}

/** Undefined: there is none. Ours are not looked up, since those of servers come and go. */
function toOurs(name: string): readonly string[] | undefined {
  if (withoutToolHere.has(name)) return [];
  const isKnown = toolsCalled(name).length > 0 || /^mcp__|^[^A-Z]/.test(name);
  return isKnown ? toolsMeant(name) : undefined;
}
