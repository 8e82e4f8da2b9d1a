/** `invoice.ts src/billing`: the name first, since it is what is looked for. */
export function FileName({ path }: { readonly path: string }) {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return (
    <span class="file-name ellipsis" title={path}>
      {path.slice(at + 1)}
      {at > 0 && <span class="file-folder">{path.slice(0, at)}</span>}
    </span>
  );
}
