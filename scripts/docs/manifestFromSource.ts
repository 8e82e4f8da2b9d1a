/*
 * Generates parts of package.json: offered tools, defaults of settings, names of sections, and restricted settings: all
 * of them, since no setting of a restricted workspace applies.
 */

import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { sectionNames } from '../../src/extension/core/prompt/sectionNames.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { defaultSettings } from '../../src/extension/platform/settings.ts';
import { readOnlyTools } from '../../src/extension/tools/readOnlyTools.ts';
import { projectRoot } from '../run.ts';

interface OfferedTool {
  readonly name: string;
}

interface SettingSection {
  readonly properties: Readonly<Record<string, SettingSchema>>;
}

interface SettingSchema {
  default?: unknown;
  readonly items?: { enum?: readonly string[] };
}

/** Returns package.json with these parts updated. */
export function manifestFromSource(text: string): string {
  const manifest = JSON.parse(text);
  const { contributes } = manifest;
  contributes.languageModelTools = offeredTools(contributes.languageModelTools);
  const sections: readonly SettingSection[] = contributes.configuration;
  const entries = sections.flatMap(({ properties }) => Object.entries(properties));
  const settings = new Map(entries);
  for (const [name, value] of Object.entries(defaultSettings)) settingOf(settings, name).default = value;
  const { items } = settingOf(settings, 'promptWithout');
  if (items) items.enum = [...sectionNames, 'tree'];
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [...settings.keys()];
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function settingOf(settings: ReadonlyMap<string, SettingSchema>, name: string): SettingSchema {
  const setting = settings.get(`folio.${name}`);
  if (!setting)
    throw new Error(
      `The setting folio.${name} stands in no section of contributes.configuration. Add it there.`,
    );
  return setting;
}

/** Keeps names for users as written; takes texts for models from the tools. */
function offeredTools(written: readonly OfferedTool[]): readonly OfferedTool[] {
  const files = new NodeFileSystem();
  const paths = new WorkspacePaths(files, [projectRoot]);
  const { ignoredFolders } = defaultSettings;
  const tools = readOnlyTools({
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
