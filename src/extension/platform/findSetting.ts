import { isRecord } from '../base/record.ts';

/** Flat names of keys in older Gemini CLI files, which still exist. */
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

/** Returns the value of a key, or of its older name; `undefined` if neither is set. */
export function findSettingValue(settings: unknown, key: string): unknown {
  return findSettingWithOlderName(settings, key)[0];
}

/** Treats a string as a list of one. `undefined` for other types. */
export function toList(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : undefined;
}

/** Returns the values that a key and its older name have. */
export function findSettingWithOlderName(settings: unknown, key: string): readonly unknown[] {
  const older = olderNames[key];
  const places = older === undefined ? [key] : [key, older];
  return places.map(place => findNested(settings, place)).filter(value => value !== undefined);
}

/** Accepts nested objects and one dotted name. */
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
