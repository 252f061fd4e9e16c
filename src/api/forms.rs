//! Bodies that bring files, in the document: the lists of base64 files beside the fields of JSON, and the same
//! fields as a form with the files as parts. The parser takes these lists out of the body before a route's type
//! is read, so no type names them.

#![expect(
    clippy::indexing_slicing,
    reason = "a JSON value that is not there reads as null and is made where it is written"
)]

use serde_json::{Value, json};
use utoipa::{PartialSchema as _, ToSchema};

use crate::api::analysts::{AnalystFields, OrganisationMemory};
use crate::api::notes::{AddMemory, UpdateMemory};
use crate::api::run::Run;

/// A file in base64. `filename` and `name` are two names of the same, and so are `contentBase64` and `dataBase64`,
/// `contentType` and `mimeType`: give one of each.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", example = json!({
    "filename": "rent-roll.csv", "contentBase64": "dW5pdCxyZW50CjEsMjQwMAo=", "contentType": "text/csv"
}))]
#[expect(dead_code, reason = "describes what the parser reads")]
pub struct FileObject {
    filename: Option<String>,
    name: Option<String>,
    /// At most 52,428,800 bytes once decoded. Standard alphabet; white space is accepted, a `data:` prefix is not.
    content_base64: Option<String>,
    data_base64: Option<String>,
    /// Absent: `application/octet-stream`. What the file is, its content says.
    content_type: Option<String>,
    mime_type: Option<String>,
}

/// Where a body takes files.
struct Takes {
    /// The schema of the body.
    body: String,
    /// The schema that has the lists of base64 files.
    holder: String,
    /// The name of a form's binary parts.
    parts: &'static str,
}

fn all() -> [Takes; 4] {
    let own = |body: std::borrow::Cow<'static, str>| Takes {
        body: body.to_string(),
        holder: body.to_string(),
        parts: "files",
    };
    [
        own(Run::name()),
        own(AddMemory::name()),
        own(UpdateMemory::name()),
        Takes {
            body: AnalystFields::name().to_string(),
            holder: OrganisationMemory::name().to_string(),
            parts: "organisationMemoryFiles",
        },
    ]
}

/// Writes the lists into the schemas. Once, before the operations are completed.
pub(super) fn describe(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas[&*FileObject::name()] = serde_json::to_value(FileObject::schema()).unwrap_or_default();
    // As the contract has them: one of each pair, and a name and a content.
    schemas[&*FileObject::name()]["allOf"] = json!([
        { "anyOf": [{ "required": ["filename"] }, { "required": ["name"] }] },
        { "anyOf": [{ "required": ["contentBase64"] }, { "required": ["dataBase64"] }] },
    ]);
    let list = |description: &str| {
        json!({
            "type": ["array", "null"], "maxItems": 100, "description": description,
            "items": { "$ref": format!("#/components/schemas/{}", FileObject::name()) },
        })
    };
    for Takes { holder, .. } in all() {
        let properties = &mut schemas[&holder]["properties"];
        properties["files"] = list("Files in base64. Without meaning where `filesBase64` is given.");
        properties["filesBase64"] =
            list("Files in base64, in place of those in `files`; also where it is empty.");
    }
}

/// Gives a body that takes files its second form.
pub(super) fn complete(operation: &mut Value, components: &Value) {
    let content = &mut operation["requestBody"]["content"];
    let named = &content["application/json"]["schema"]["$ref"];
    let takes = |takes: &Takes| *named == format!("#/components/schemas/{}", takes.body);
    let Some(takes) = all().into_iter().find(takes) else {
        return;
    };
    // Written out, because `files` are parts here and a list of objects there.
    let mut schema = components["schemas"][&takes.body].clone();
    schema["description"] = Value::from(format!(
        "The fields of {} as parts: texts as they are, objects and lists as JSON. Members of an object may be parts \
         of their own with a dot, for instance `user.modelType`. Parts named `{}` are files.",
        takes.body, takes.parts
    ));
    schema["properties"][takes.parts] = json!({
        "type": "array", "maxItems": 100,
        "items": { "type": "string", "contentMediaType": "application/octet-stream" },
    });
    content["multipart/form-data"] = json!({ "schema": schema });
}
