/*
 * Text that is not what it looks like: characters that are drawn as nothing, reorder adjacent ones, or pass
 * for a plain blank. A user who approves a command or a path must see them.
 */

/**
 * True if the text holds a control character other than tab and line break, an invisible or direction-changing
 * character, a blank that is not U+0020, or half of a surrogate pair. Characters that join or colour emoji do not
 * count as hidden.
 */
export function hasHiddenText(text: string): boolean {
  return hidden.test(withoutEmoji(text));
}

/** The text with every hidden character written as an escape: `\u{202E}`. */
export function showHidden(text: string): string {
  return text.replace(emojiOrHidden, match => (emojiOnly.test(match) ? match : escapeEach(match)));
}

/** The text with a blank for every hidden character: for titles, where an escape would be in the way. */
export function withoutHidden(text: string): string {
  return text.replace(emojiOrHidden, match => (emojiOnly.test(match) ? match : ' '));
}

// A carriage return only counts as a line break in front of the line feed that completes it.
const hiddenSource =
  '[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u2800]' +
  '|(?! )\\p{Zs}|(?![\\t\\n\\r])\\p{Cc}|\\r(?!\\n)';

// Variation selector 16 and the joiner belong to a picture when they stand behind or between pictures.
const emojiSource = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?';
const emojiSequence = `${emojiSource}(?:\\u200D${emojiSource})*`;

const hidden = new RegExp(hiddenSource, 'u');
const emojiOnly = new RegExp(`^${emojiSequence}$`, 'u');
const emojiOrHidden = new RegExp(`${emojiSequence}|${hiddenSource}`, 'gu');

function withoutEmoji(text: string): string {
  return text.replace(new RegExp(emojiSequence, 'gu'), '');
}

function escapeEach(text: string): string {
  return [...text].map(each => `\\u{${each.codePointAt(0)!.toString(16).toUpperCase()}}`).join('');
}
