import { MiddleCut } from '../ui/words.tsx';

/** Shows `invoice.ts src/billing`. The folder is shortened first. */
export function FileName({ path }: { readonly path: string }) {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return (
    <span class="file-name" title={path}>
      <MiddleCut text={path.slice(at + 1)} />
      {at > 0 && <span class="file-folder ellipsis">{path.slice(0, at)}</span>}
    </span>
  );
}
