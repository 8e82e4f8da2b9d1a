/*
 * The parts of package.json that repeat the source: what VS Code is told of the tools, defaults of settings, names of
 * sections. Of a restricted workspace no setting counts at all, so every one of them is listed as restricted.
 */

import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { sectionNames } from '../../src/extension/core/prompt/sectionNames.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { defaultSettings } from '../../src/extension/platform/settings.ts';
import { readingTools } from '../../src/extension/tools/readingTools.ts';
import { projectRoot } from '../run.ts';

interface OfferedTool {
  readonly name: string;
}

interface SettingSchema {
  readonly default?: unknown;
  readonly items?: object;
}

/** The text of package.json with those parts as the source has them, the rest as it was. */
export function manifestFromSource(text: string): string {
  const manifest = JSON.parse(text);
  const { contributes } = manifest;
  contributes.languageModelTools = offeredTools(contributes.languageModelTools);
  const settings: Record<string, SettingSchema> = contributes.configuration.properties;
  for (const [name, value] of Object.entries(defaultSettings))
    settings[`folio.${name}`] = { ...settings[`folio.${name}`], default: value };
  const sections = settings['folio.promptWithout'];
  settings['folio.promptWithout'] = {
    ...sections,
    items: { ...sections?.items, enum: [...sectionNames, 'tree'] },
  };
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = Object.keys(settings);
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Names for people stay as they are written; what the model is told comes from the tools. */
function offeredTools(written: readonly OfferedTool[]): readonly OfferedTool[] {
  const files = new NodeFileSystem();
  const paths = new WorkspacePaths(files, [projectRoot]);
  const { ignoredFolders } = defaultSettings;
  const tools = readingTools({
    files,
    paths,
    search: new NodeSearch(),
    clock: new SystemClock(),
    ignoredFolders: () => ignoredFolders,
  });
  return tools.map(declareTool).map(({ name, description, parameters }) => {
    const entry = written.find(tool => tool.name === `folio_${name}`);
    if (!entry)
      throw new Error(
        `The tool ${name} is offered to VS Code, but has no entry. Add folio_${name} to languageModelTools in package.json, with displayName and userDescription.`,
      );
    return { ...entry, modelDescription: description, inputSchema: parameters };
  });
}
