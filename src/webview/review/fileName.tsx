import { MiddleCut } from '../ui/words.tsx';

/** `invoice.ts src/billing`: the name first, since it is what is looked for; the folder gives way first. */
export function FileName({ path }: { readonly path: string }) {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return (
    <span class="file-name" title={path}>
      <MiddleCut text={path.slice(at + 1)} />
      {at > 0 && <span class="file-folder ellipsis">{path.slice(0, at)}</span>}
    </span>
  );
}
