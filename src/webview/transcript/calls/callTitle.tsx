import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import { namesPath, useFolderNames } from '../../panel/folderNames.ts';
import { MiddleCut } from '../../ui/words.tsx';

/** Title of a call. A title with a path is cut in the middle, which keeps the end of the file name. */
export function CallTitle({ call }: { readonly call: Pick<PanelCall, 'title' | 'args'> }) {
  const part = useFolderNames().pathIn(call);
  return namesPath(call) ? (
    <MiddleCut class="row-title" text={call.title} part={part} />
  ) : (
    <span class="row-title ellipsis">{call.title}</span>
  );
}
