import type { PanelCall } from '../../../protocol/panel/panelState.ts';
import { namesPath } from '../../panel/folderNames.ts';
import { MiddleCut } from '../../ui/words.tsx';

/** The line of a call. One that names a path is cut in its middle: the folder and the end of the name stay. */
export function CallTitle({ call }: { readonly call: Pick<PanelCall, 'title' | 'args'> }) {
  return namesPath(call) ? (
    <MiddleCut class="row-title" text={call.title} />
  ) : (
    <span class="row-title ellipsis">{call.title}</span>
  );
}
