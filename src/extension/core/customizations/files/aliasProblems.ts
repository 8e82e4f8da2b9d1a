/* Aliases of models in settings files, as far as they have no effect. */

import { t } from '../../../../protocol/language.ts';
import type { CustomFile } from '../../../platform/customizations/customFiles.ts';
import { readModelAliases } from '../../../platform/settingFiles/modelAliases.ts';

/** Describes each value that has no effect. A workspace's aliases are named elsewhere, as settings of the user. */
export function describeAliases(files: readonly CustomFile[]): readonly string[] {
  return files.flatMap(({ kind, problem, origin, path, content }) => {
    if (kind !== 'settings' || problem !== undefined || origin.kind === 'workspace') return [];
    const { ignored, circular } = readModelAliases(content);
    return [
      ...ignored.map(key =>
        t(
          '{0}: {1} has no effect, since an alias only names a model. /effort says how hard it thinks.',
          path,
          key,
        ),
      ),
      ...circular.map(name => t('{0}: the alias {1} has no effect, since it extends itself.', path, name)),
    ];
  });
}
