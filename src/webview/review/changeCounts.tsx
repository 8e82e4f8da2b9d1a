/** `+2 −1`; a side without lines is left out, unless both are. */
export function ChangeCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="change-counts">
      {(added > 0 || removed === 0) && (
        <span class="added" aria-hidden="true">
          +{added}
        </span>
      )}{' '}
      {removed > 0 && (
        <span class="removed" aria-hidden="true">
          −{removed}
        </span>
      )}
      <span class="sr-only">
        {added} lines added, {removed} removed
      </span>
    </span>
  );
}
