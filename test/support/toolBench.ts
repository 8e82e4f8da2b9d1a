/* Every built-in tool over a real workspace; what none of them does in these tests is left out. */

import { join } from 'node:path';
import type { AnyTool } from '../../src/extension/core/tool.ts';
import { noWorkbench } from '../../src/extension/headless/editorStandIns.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { lazyHttp } from '../../src/extension/node/http/lazyHttp.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { defaultSettings } from '../../src/extension/platform/settings.ts';
import { builtInTools } from '../../src/extension/tools/tools.ts';
import { noDiagnostics } from './absentPorts.ts';
import type { PolicyWorld } from './policyWorld.ts';
import { ScriptedModel } from './scriptedModel.ts';

export interface ToolBench {
  readonly tools: readonly AnyTool[];
  dispose(): Promise<void>;
}

export function toolBench(world: PolicyWorld): ToolBench {
  const clock = new SystemClock();
  const processes = new NodeProcesses(process.env, clock.newId());
  const files = new NodeFileSystem();
  const model = () => ({ provider: new ScriptedModel([]), model: 'scripted' });
  const tools = builtInTools(
    {
      files,
      search: new NodeSearch(),
      paths: world.gate,
      clock,
      notebooks: { isThere: true, saw: () => {} },
      workbench: noWorkbench,
      diagnostics: noDiagnostics,
      ignoredFolders: () => defaultSettings.ignoredFolders,
      memoryFile: () => join(world.home, '.gemini', 'GEMINI.md'),
      skills: () => new Map([['shop', { name: 'shop', body: 'Sell.', folder: join(world.root, 'shop') }]]),
      activated: () => {},
    },
    {
      interactive: true,
      hasChapters: () => true,
      startTopic: () => true,
      setTodos: () => {},
      mode: () => 'default',
      setMode: () => {},
      plans: {
        write: async (_title, text) => ({ path: join(world.root, 'plan.md'), text }),
        approve: async () => ({ text: '', changed: false }),
        sendBack: async () => '',
      },
      chapters: () => [],
      hasCompressed: () => true,
      estimateTokens: text => text.length / 4,
    },
    {
      files,
      paths: world.gate,
      clock,
      processes,
      inactivityTimeout: () => 60,
      outputLimit: () => 40_000,
      outputFolder: () => join(world.root, 'outputs'),
    },
    { http: lazyHttp(), outputLimit: () => 40_000, model },
    {
      presence: { isThere: true, find: async () => undefined },
      command: () => 'true',
      files,
      platform: process.platform,
    },
  );
  return { tools, dispose: () => processes.dispose() };
}
