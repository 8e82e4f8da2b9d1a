/** Whether two titles name the same topic: letter case, spaces and a mark at the end make no difference. */
export function isSameTopic(one: string | undefined, other: string): boolean {
  return one !== undefined && plain(one) === plain(other);
}

function plain(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”]+|[\s"'“”.…:!]+$/g, '');
}
