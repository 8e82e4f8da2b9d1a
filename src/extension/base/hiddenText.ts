/*
 * Characters that are invisible, reorder adjacent text or imitate a blank. A user who approves a command or a path must
 * see them.
 */

/**
 * Returns whether the text holds a control character other than tab and line break, an invisible or direction-changing
 * character, a blank other than U+0020, or half of a surrogate pair. Characters that join or colour emoji are not
 * hidden.
 */
export function hasInvisibleText(text: string): boolean {
  return hidden.test(withoutEmoji(text));
}

/** Replaces each hidden character by an escape such as `\u{202E}`. */
export function escapeInvisibleText(text: string): string {
  return text.replace(emojiOrHidden, match => (emojiOnly.test(match) ? match : escapeEach(match)));
}

/** Replaces each hidden character by a blank, for titles, where an escape would disturb. */
export function removeInvisibleText(text: string): string {
  return text.replace(emojiOrHidden, match => (emojiOnly.test(match) ? match : ' '));
}

// A carriage return is a line break only before a line feed.
const hiddenSource =
  '[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u2800]' +
  '|(?! )\\p{Zs}|(?![\\t\\n\\r])\\p{Cc}|\\r(?!\\n)';

// Variation selector 16 and the joiner belong to an emoji only after it or between two.
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
