import { aboveAllowance } from './mail-allowance.ts'

const unreachable = /ECONNREFUSED|ETIMEDOUT|ECONNRESET|ECONNECTION|ESOCKET|EDNS|ENOTFOUND|EHOSTUNREACH|ENETUNREACH/
const signIn = /EAUTH|\b53[045]\b/
const noSuchAddress = /\b55[013]\b/
const full = /\b[45]52\b/
const refused = /\b5\d\d\b/
const notNow = /\b4\d\d\b/
const unknown = /may have arrived|interrupted before the mail server answered/

/**
 * Why a mail was not sent, for the organizer who reads the mail log. What the transport or the worker noted names the mail
 * server's status and nothing else: neither an address nor the server's own words, which often repeat it.
 * @param noted null when no attempt failed
 */
export function reasonInWords(noted: string | null): string | null {
  if (noted === null) return null
  if (unknown.test(noted)) return 'Nobody knows whether it arrived. Sent again it may arrive twice.'
  if (noted === aboveAllowance)
    return 'Your e-mails of the day are used up. It leaves when there is room, nothing is lost.'
  if (noted.includes('SMTP_URL')) return 'This server has no mail server set up.'
  if (noted.includes('more than a week')) return 'It waited for more than a week.'
  if (noted.includes('could not be written')) return 'It could not be written.'
  if (unreachable.test(noted)) return 'The mail server could not be reached.'
  if (signIn.test(noted)) return 'The mail server did not let this server in.'
  if (noSuchAddress.test(noted)) return 'The mail server says that this address takes no mail.'
  if (full.test(noted)) return 'The mailbox is full.'
  if (refused.test(noted)) return 'The mail server refused it.'
  if (notNow.test(noted)) return 'The mail server did not take it just then.'
  return 'It could not be sent.'
}
