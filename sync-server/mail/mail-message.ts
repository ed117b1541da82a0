/** A person's address. Always an object: one text with a comma in it would go to two people. */
export interface MailAddress {
  readonly name: string
  readonly address: string
}

/** What is written; `text` is the whole mail, as fillTemplate and its kind make it. */
export interface MailContent {
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
}

/** A mail as it is handed over. */
export interface MailMessage extends MailContent {
  readonly html: string
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
const longestSubject = 200
const longestName = 80

/** Makes a mail ready: one line each for subject and name, and the text once more as HTML in which no value is markup. */
export function composeMail({ to, subject, text }: MailContent): MailMessage {
  return {
    to: { name: oneLine(to.name, longestName), address: to.address },
    subject: oneLine(subject, longestSubject),
    text,
    html: htmlOf(text),
  }
}

function oneLine(text: string, longest: number): string {
  return [...text.replace(controls, ' ').trim()].slice(0, longest).join('')
}

/** Paragraphs and line breaks, nothing else: no link is made from what somebody wrote. */
function htmlOf(text: string): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
  const look =
    'font:16px/1.55 system-ui,-apple-system,Segoe UI,sans-serif;color:#1c2430;max-width:34em;margin:24px auto;padding:0 16px'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body><div style="${look}">${paragraphs.join('')}</div></body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that stays text inside HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
