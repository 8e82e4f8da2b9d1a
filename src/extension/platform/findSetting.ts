/* Where the value of a key stands in a settings file. */

import { isRecord } from '../base/record.ts';

/** Names that the compatible file gave its keys before it had sections; files with these names are still about. */
const olderNames: Readonly<Record<string, string>> = {
  'tools.core': 'coreTools',
  'tools.exclude': 'excludeTools',
  'tools.allowed': 'allowedTools',
  'tools.sandbox': 'sandbox',
  'tools.discoveryCommand': 'toolDiscoveryCommand',
  'tools.callCommand': 'toolCallCommand',
  'mcp.allowed': 'allowMCPServers',
  'mcp.excluded': 'excludeMCPServers',
  'context.fileName': 'contextFileName',
  'context.includeDirectories': 'includeDirectories',
  'context.loadMemoryFromIncludeDirectories': 'loadMemoryFromIncludeDirectories',
  'model.maxSessionTurns': 'maxSessionTurns',
  'model.skipNextSpeakerCheck': 'skipNextSpeakerCheck',
  'model.compressionThreshold': 'chatCompression.contextPercentageThreshold',
};

/** The value at a key, also under its older name; `undefined` when not there. */
export function findValue(settings: unknown, key: string): unknown {
  return findValues(settings, key)[0];
}

/** A list, where one text counts as a list of it; `undefined`: something else. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : undefined;
}

/** The values at a key and at its older name, as far as they are there. */
export function findValues(settings: unknown, key: string): readonly unknown[] {
  const older = olderNames[key];
  const places = older === undefined ? [key] : [key, older];
  return places.map(place => findNested(settings, place)).filter(value => value !== undefined);
}

/** Written as nested objects or as one dotted name. */
function findNested(settings: unknown, key: string): unknown {
  if (!isRecord(settings)) return undefined;
  if (Object.hasOwn(settings, key)) return settings[key];
  for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
    const head = key.slice(0, dot);
    if (!Object.hasOwn(settings, head)) continue;
    const found = findNested(settings[head], key.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
