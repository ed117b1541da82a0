/*
 * Stands in for Stripe's script in tests and development: what react-stripe-js needs of it, with a card form in a frame of
 * its own as Stripe's has. Loaded from js.stripe.com it calls api.stripe.com and sends people to hooks.stripe.com, which a
 * test answers; loaded from elsewhere it asks where it came from.
 */
;(() => {
  const { origin } = new URL(document.currentScript.src)
  const isInPlace = origin === 'https://js.stripe.com'
  const api = isInPlace ? 'https://api.stripe.com' : origin
  const bank = isInPlace ? 'https://hooks.stripe.com' : origin
  const connectionError = {
    type: 'api_connection_error',
    message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection.',
  }

  /** Stripe's answer about the intent: what it is, or why not. A body is sent by POST. */
  async function ask(clientSecret, verb, query, body) {
    const path = `/v1/payment_intents/${clientSecret.split('_secret_')[0]}${verb}?${new URLSearchParams(query)}`
    try {
      const response = await fetch(api + path, body && { method: 'POST', body: new URLSearchParams(body) })
      const answer = await response.json()
      return response.ok ? { paymentIntent: answer } : { error: answer.error }
    } catch {
      return { error: connectionError }
    }
  }

  const retrieve = (key, clientSecret) => ask(clientSecret, '', { key, client_secret: clientSecret })

  /** The card form: it says `ready` when it can be typed into, `loaderror` when it cannot. */
  function createElement(key, group) {
    const events = new EventTarget()
    let frame
    let heardValues
    const tell = (message) => frame.contentWindow.postMessage(message, origin)

    function hear({ source, data }) {
      if (source !== frame.contentWindow) return
      if (data === 'loaded') tell(group.appearance)
      if (data.values) heardValues(data.values)
      if (!data.height) return
      const isFirst = frame.style.height === '0px'
      frame.style.height = `${data.height}px`
      if (isFirst) events.dispatchEvent(new Event('ready'))
    }

    return {
      on: (name, listener) => events.addEventListener(name, listener),
      off: (name, listener) => events.removeEventListener(name, listener),
      async mount(node) {
        const { error } = await retrieve(key, group.clientSecret)
        if (!node.isConnected) return
        if (error) return events.dispatchEvent(new Event('loaderror'))
        frame = document.createElement('iframe')
        frame.title = 'Secure payment input frame'
        frame.src = `${origin}/endive/card-form.html`
        // Room for the outline of a field with the focus.
        frame.style = 'display: block; width: calc(100% + 8px); height: 0; margin: -4px; border: 0'
        addEventListener('message', hear)
        node.append(frame)
      },
      destroy() {
        removeEventListener('message', hear)
        frame?.remove()
        group.element = undefined
      },
      look: () => frame && tell(group.appearance),
      /** What was typed; the frame marks what is missing. */
      read: () =>
        new Promise((resolve) => {
          heardValues = resolve
          tell('read')
        }),
    }
  }

  function createElements(key, { clientSecret, appearance }) {
    const group = { clientSecret, appearance, element: undefined }
    return {
      group,
      create: () => (group.element = createElement(key, group)),
      update: (options) => {
        group.appearance = options.appearance
        group.element?.look()
      },
    }
  }

  async function confirmPayment(key, { elements, confirmParams: { return_url: returnUrl } }) {
    const { clientSecret, element } = elements.group
    const { problem, number, expiry, code } = await element.read()
    if (problem) return { error: { type: 'validation_error', ...problem } }
    const answer = await ask(
      clientSecret,
      '/confirm',
      { key },
      {
        client_secret: clientSecret,
        return_url: returnUrl,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': expiry.slice(0, 2),
        'payment_method_data[card][exp_year]': expiry.slice(2),
        'payment_method_data[card][cvc]': code,
      },
    )
    const { id, status } = answer.paymentIntent ?? {}
    if (status !== 'requires_action') return answer
    const asked = { payment_intent: id, payment_intent_client_secret: clientSecret, return_url: returnUrl }
    location.assign(`${bank}/endive/bank.html?${new URLSearchParams(asked)}`)
    return await new Promise(() => undefined)
  }

  // React's wrapper asks whether Stripe has the last three.
  const unused = () => undefined
  window.Stripe = (key) => ({
    elements: (options) => createElements(key, options),
    confirmPayment: (options) => confirmPayment(key, options),
    retrievePaymentIntent: (clientSecret) => retrieve(key, clientSecret),
    createToken: unused,
    createPaymentMethod: unused,
    confirmCardPayment: unused,
  })
  window.Stripe.version = 'endive'
})()
