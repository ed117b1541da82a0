import { linkLike } from '#shared/mail/mail-size.ts'
import { escapeHtml } from '#shared/text/plain-text.ts'
import type { MailFact, MailLetter, MailLink } from './mail-content.ts'

/** These are the app's colours (pwa/styles.css) as mail programs know them. */
const paper = {
  page: '#f6f3eb',
  card: '#fefcf9',
  line: '#e0dacf',
  ink: '#181f30',
  muted: '#4e5565',
  hall: '#131a2d',
  hallInk: '#f5f1e9',
  lamp: '#f8a72a',
  lampInk: '#131a2b',
}
const night = { page: '#0a0e1b', card: '#131928', line: '#2a3143', ink: '#e9e4da', muted: '#a2a8b6', hall: '#050812' }

const font = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/**
 * No image, font or style sheet is fetched. Styles are in the elements, because many programs drop the head, which
 * only adds dark colours. Without style the letter still reads in order.
 */
export function htmlOf(letter: MailLetter): string {
  const { subject, heading, text, facts = [], closing, action } = letter
  const card = [
    `<h1 class="ink" style="${styles.heading}">${shown(heading ?? subject)}</h1>`,
    paragraphs(text),
    facts.length === 0 ? '' : factList(facts),
    closing === undefined ? '' : paragraphs(closing),
    action === undefined ? '' : button(action),
  ].join('')
  return `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title><style>${darkRules}</style></head>
<body class="page" style="margin:0;padding:0;background:${paper.page};-webkit-text-size-adjust:100%">
<div style="${styles.preview}">${shown(previewOf(letter))}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${paper.page}"><tr><td align="center" style="padding:16px 12px 32px">
<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.column}">
<tr><td class="hall" style="${styles.bar}"><span style="${styles.lamp}" aria-hidden="true">●</span> Beaconry</td></tr>
<tr><td class="card ink" style="${styles.card}">${card}</td></tr>
<tr><td class="muted" style="${styles.footer}">${footer(letter)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>`
}

const styles = {
  preview: 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:transparent;opacity:0',
  column: `max-width:560px;table-layout:fixed;font-family:${font}`,
  bar: `background:${paper.hall};color:${paper.hallInk};border-radius:16px 16px 0 0;padding:16px 24px;font:600 17px/1.3 ${font}`,
  lamp: `color:${paper.lamp}`,
  card: `background:${paper.card};color:${paper.ink};border-radius:0 0 16px 16px;padding:28px 24px 12px;font:16px/1.6 ${font};overflow-wrap:anywhere;word-break:break-word`,
  heading: `margin:0 0 16px;font:700 22px/1.3 ${font};color:${paper.ink}`,
  paragraph: 'margin:0 0 16px',
  facts: `width:100%;margin:4px 0 20px;border-top:1px solid ${paper.line};table-layout:fixed`,
  fact: `padding:12px 0;border-bottom:1px solid ${paper.line};font:16px/1.5 ${font};color:${paper.ink}`,
  label: `color:${paper.muted};font-size:14px`,
  was: `color:${paper.muted};font-size:14px`,
  button: `display:inline-block;background:${paper.lamp};color:${paper.lampInk};font:600 16px/1.3 ${font};text-decoration:none;padding:14px 24px;border-radius:10px;border:1px solid ${paper.lamp}`,
  footer: `padding:20px 24px 0;font:13px/1.55 ${font};color:${paper.muted};overflow-wrap:anywhere;word-break:break-word`,
  footerLine: 'margin:0 0 8px',
  footerLink: `display:inline-block;padding:11px 0;color:${paper.muted};text-decoration:underline`,
}

const darkRules = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
@media (prefers-color-scheme:dark){.page{background:${night.page}!important}.card{background:${night.card}!important}.hall{background:${night.hall}!important}.ink{color:${night.ink}!important}.muted{color:${night.muted}!important}.line{border-color:${night.line}!important}}`

function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p style="${styles.paragraph}">${shown(paragraph)}</p>`)
    .join('')
}

function factList(facts: readonly MailFact[]): string {
  const rows = facts.map(({ label, value, was }) => {
    const before =
      was === undefined ? '' : `<br><span class="muted" style="${styles.was}">was <s>${shown(was)}</s></span>`
    return `<tr><td class="ink line" style="${styles.fact}"><span class="muted" style="${styles.label}">${shown(label)}</span><br><strong>${shown(value)}</strong>${before}</td></tr>`
  })
  return `<table role="presentation" class="line" cellpadding="0" cellspacing="0" border="0" style="${styles.facts}">${rows.join('')}</table>`
}

function button({ label, address }: MailLink): string {
  return `<p style="margin:4px 0 20px"><a href="${escapeHtml(address)}" style="${styles.button}">${shown(label)}</a></p>`
}

function footer({ reason, unsubscribe, publicOrigin }: MailLetter): string {
  const line = (html: string) => `<p style="${styles.footerLine}">${html}</p>`
  return [
    reason === undefined ? '' : line(shown(reason)),
    unsubscribe === undefined
      ? ''
      : line(
          `<a href="${escapeHtml(unsubscribe.address)}" class="muted" style="${styles.footerLink}">${shown(unsubscribe.label)}</a>`,
        ),
    line(`Beaconry · ${shown(new URL(publicOrigin).host)}`),
  ].join('')
}

const longestPreview = 140

function previewOf({ preview, text }: MailLetter): string {
  const [first = '', second] = text.split(/\n{2,}/)
  return [...(preview ?? second ?? first).replace(/\s+/g, ' ')].slice(0, longestPreview).join('')
}

/** Stays text in a mail program's eyes too. */
const shown = (text: string) =>
  escapeHtml(text)
    .replace(linkLike, (sign) => `<span>${sign}</span>`)
    .replaceAll('\n', '<br>')
