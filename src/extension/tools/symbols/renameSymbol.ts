import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { type CallContext, defineTool, type PrepareResult, ToolFailure } from '../../core/tool.ts';
import { convertLanguageErrors, requireLanguages, type SymbolPorts } from './findDeclarations.ts';
import { locateSymbol } from './locateSymbol.ts';
import {
  type FileChangePlans,
  planChanges,
  prepareChanges,
  refuseProtected,
  writeChanges,
} from './manyFiles.ts';

const input = lazySchema(() =>
  z.object({
    name: z.string().describe('Name, or Class.name'),
    new_name: z.string(),
    file_path: z.string().optional().describe('File that declares or uses it'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function renameSymbolTool(ports: SymbolPorts) {
  return defineTool({
    name: 'rename_symbol',
    description: 'Renames a symbol by meaning in all files that use it.',
    input,
    effect: 'edit',
    isOffered: () => ports.languages?.isAvailable ?? false,
    title: ({ name, new_name }: Input) => t('Rename {0} to {1}', name, new_name),
    prepare: (asked, call) => convertLanguageErrors(prepare(ports, asked, call)),
    run: ({ name, new_name }, plan, call) => {
      const words = {
        done: `Renamed ${name} to ${new_name}`,
        state: `${name} is renamed to ${new_name}`,
        verb: 'renamed',
      };
      return writeChanges(ports, words, plan, call);
    },
  });
}

async function prepare(
  ports: SymbolPorts,
  { name, new_name, file_path }: Input,
  { signal }: CallContext,
): Promise<PrepareResult<FileChangePlans>> {
  if (file_path !== undefined) await refuseProtected(ports, file_path, 'Its symbols are not renamed.');
  const point = await locateSymbol(ports, name, file_path, signal);
  const renaming = await requireLanguages(ports).rename(point, new_name, signal);
  signal.throwIfAborted();
  if (renaming.kind === 'refused')
    throw new ToolFailure(`The language server does not rename ${name}: ${renaming.reason}`, () =>
      t('Refused'),
    );
  const plan = await planChanges(ports, renaming.files);
  if (plan.length === 0)
    throw new ToolFailure(`The language server finds nothing to change for ${new_name}.`, () =>
      t('No change'),
    );
  return prepareChanges(plan);
}
