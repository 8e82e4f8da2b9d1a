/* Describes parts of a Claude Code plugin without counterpart here, one sentence each. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';

export function isPlugin(manifestPath: string): boolean {
  return /[\\/]\.claude-plugin[\\/]plugin\.json$/.test(manifestPath);
}

const sentences: Readonly<Record<string, LocalizedMessage>> = {
  commands: () => t('"commands" lists other folders. Folio reads only commands/.'),
  agents: () => t('"agents" lists other folders. Folio reads only agents/.'),
  skills: () => t('"skills" lists other folders. Folio reads only skills/.'),
  hooks: () => t('"hooks" is ignored. Put the hooks into hooks/hooks.json.'),
  mcpServers: () => t('"mcpServers" names another file. Folio reads only .mcp.json.'),
  lspServers: () =>
    t('Its language servers ("lspServers") are not started; install their VS Code extensions instead.'),
  outputStyles: () => t('Its output styles ("outputStyles") are not read.'),
  userConfig: () => t('Folio does not ask for its values ("userConfig"). Set them as environment variables.'),
  dependencies: () => t('Plugins that it needs ("dependencies") are not installed; install them yourself.'),
};

/** @param keys of its manifest that have no effect */
export function describeUnsupportedKeys(keys: unknown): readonly string[] {
  if (!Array.isArray(keys)) return [];
  return keys
    .filter(key => typeof key === 'string')
    .map(key => (Object.hasOwn(sentences, key) ? sentences[key]!() : t('"{0}" has no effect here.', key)));
}

const unreadFiles: readonly (readonly [RegExp, LocalizedMessage])[] = [
  [
    /^\.lsp\.json$/,
    () => t('Its language servers (.lsp.json) are not started; install their VS Code extensions instead.'),
  ],
  [/^output-styles\//, () => t('Its output styles (output-styles/) are not read.')],
  [/^themes\//, () => t('Its themes (themes/) are not read.')],
  [/^monitors\//, () => t('Its monitors (monitors/) are not started.')],
  [/^workflows\//, () => t('Its workflows (workflows/) are not read.')],
  [/^bin\//, () => t('Its programs (bin/) are not added to PATH.')],
  [/^settings\.json$/, () => t('Its settings (settings.json) are not read.')],
];

/** @param paths of all its files */
export function describeUnsupportedFiles(paths: Iterable<string>): readonly string[] {
  const all = [...paths];
  return unreadFiles.flatMap(([pattern, say]) => (all.some(path => pattern.test(path)) ? [say()] : []));
}
