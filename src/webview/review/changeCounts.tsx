export function ChangeCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="change-counts">
      <span class="added" aria-hidden="true">
        +{added}
      </span>{' '}
      <span class="removed" aria-hidden="true">
        −{removed}
      </span>
      <span class="sr-only">
        {added} lines added, {removed} removed
      </span>
    </span>
  );
}
