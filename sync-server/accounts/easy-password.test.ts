import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, it } from 'vitest'
import { isEasyPassword } from './easy-password.ts'

const olivia = { username: 'Olivia Lane', email: 'olivia.lane@example.com' }

const easy =
  '123456,password,QWERTY123, letmein ,iloveyou,aaaaaaa,!!!!!!,Welcome2026,Passw0rd!,qwerty2025,beaconry1,654321,admin123,p@ssw0rd,' +
  'Olivia Lane,olivialane,olivia.lane,OLIVIA-LANE,olivialane1,Olivia.Lane2026!,olivia.lane@example.com'

it.each(easy.split(','))('%s is too easy', async (password) => {
  expect(await isEasyPassword(password, olivia)).toBe(true)
})

it.each([
  'lantern',
  'long enough',
  'beaconry-demo',
  'olivia has a boat',
  'lane of lanterns',
  '20261122x',
  'wrong password',
])('%s is not', async (password) => {
  expect(await isEasyPassword(password, olivia)).toBe(false)
})

it('a name of digits alone is no reason to refuse every number', async () => {
  expect(await isEasyPassword('73915284', { username: '404', email: '404@example.com' })).toBe(false)
  expect(await isEasyPassword('404404', { username: '404404', email: 'x@example.com' })).toBe(true)
})

it('refuses each of the 3,000 commonest passwords', async () => {
  const ranked = dictionary['passwords-common'].filter((password) => password.length >= 6).slice(0, 3000)
  const taken = await Promise.all(
    ranked.map(async (password) => ((await isEasyPassword(password, olivia)) ? [] : password)),
  )
  expect(taken.flat()).toEqual([])
})
