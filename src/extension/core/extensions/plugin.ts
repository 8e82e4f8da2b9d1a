/* Says which parts of a plugin in the format of Claude Code have no counterpart here, a sentence each. */

export function isPlugin(manifestPath: string): boolean {
  return /[\\/]\.claude-plugin[\\/]plugin\.json$/.test(manifestPath);
}

const sentences: Readonly<Record<string, string>> = {
  commands: '"commands" names places of its own, and only what stands in commands/ is read.',
  agents: '"agents" names places of its own, and only what stands in agents/ is read.',
  skills: '"skills" names places of its own, and only what stands in skills/ is read.',
  hooks: '"hooks" is not read; put them into hooks/hooks.json.',
  mcpServers: '"mcpServers" names a file of its own, and only .mcp.json is read.',
  lspServers:
    'Its language servers ("lspServers") are not started; install their VS Code extensions instead.',
  outputStyles: 'Its output styles ("outputStyles") are not read.',
  userConfig:
    'The values that it wants ("userConfig") are not asked for; set them as variables of your system.',
  dependencies: 'Plugins that it needs ("dependencies") are not installed; install them yourself.',
};

/** @param keys of its manifest that have no effect */
export function describeUnread(keys: unknown): readonly string[] {
  if (!Array.isArray(keys)) return [];
  return keys
    .filter(key => typeof key === 'string')
    .map(key => (Object.hasOwn(sentences, key) ? sentences[key]! : `"${key}" has no effect here.`));
}

const unreadFiles: readonly (readonly [RegExp, string])[] = [
  [
    /^\.lsp\.json$/,
    'Its language servers (.lsp.json) are not started; install their VS Code extensions instead.',
  ],
  [/^output-styles\//, 'Its output styles (output-styles/) are not read.'],
  [/^themes\//, 'Its themes (themes/) are not read.'],
  [/^monitors\//, 'Its monitors (monitors/) are not started.'],
  [/^workflows\//, 'Its workflows (workflows/) are not read.'],
  [/^bin\//, 'Its programs (bin/) are not put on the path of commands.'],
  [/^settings\.json$/, 'Its settings (settings.json) are not read.'],
];

/** @param paths of all its files */
export function describeUnreadFiles(paths: Iterable<string>): readonly string[] {
  const all = [...paths];
  return unreadFiles.flatMap(([pattern, sentence]) =>
    all.some(path => pattern.test(path)) ? [sentence] : [],
  );
}
