// Shows the document of the server that this page comes from.
SwaggerUIBundle({
  url: "v1/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
